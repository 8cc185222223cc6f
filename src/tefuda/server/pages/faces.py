"""The faces of people and bots."""

from fastapi import APIRouter, HTTPException, Response

from tefuda.server.table.player_faces import face_svg, faces_svg

router = APIRouter(include_in_schema=False)

A_DAY = "public, max-age=86400"


@router.get("/faces/{face}.svg")
async def show(face: str) -> Response:
    """One of them, or several in a row, joined by ``+``."""
    drawn = faces_svg(face) if "+" in face else face_svg(face)
    if drawn is None:
        raise HTTPException(404)
    return Response(drawn, headers={"cache-control": A_DAY}, media_type="image/svg+xml")
