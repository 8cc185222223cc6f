"""Ed25519 signatures, checked with the standard library alone (RFC 8032)."""

from hashlib import sha512

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(one, two):
    """The sum of two points of the curve (RFC 8032, 5.1.4)."""
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(number, point):
    found = (0, 1, 1, 0)
    while number:
        found = add(found, point) if number & 1 else found
        point, number = add(point, point), number >> 1
    return found


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or y >= P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)


def is_signed(key, message, signature):
    """Whether an Ed25519 signature holds (RFC 8032, 5.1.7)."""
    s = int.from_bytes(signature[32:], "little")
    k = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little")
    base = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    left, right = times(s, base), add(point_of(signature[:32]), times(k % ORDER, point_of(key)))
    is_same = all((left[k] * right[2] - right[k] * left[2]) % P == 0 for k in (0, 1))
    return s < ORDER and len(signature) == 64 and is_same
