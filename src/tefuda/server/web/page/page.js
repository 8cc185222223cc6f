// Lists the tables and shows the API, both as the server describes them. Everything is set as text, never as markup.

/** An element with attributes and children. */
function make(/** @type {string} */ name, /** @type {(Node|string)[]} */ ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

async function get(/** @type {string} */ path) {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function showTables() {
  const tables = await get("/api/v1/tables");
  const rows = tables.map((table) => {
    const names = table.seats.filter((seat) => !seat.open).map((seat) => seat.name).join(", ");
    const free = table.by_invitation ? `${table.free} (by invitation)` : `${table.free}`;
    const cells = [table.game, names, table.phase, free].map((text) => make("td", text));
    return make("tr", ...cells, make("td", make("code", table.table)));
  });
  document.querySelector("#tables tbody").replaceChildren(...rows);
  document.querySelector("#tables").hidden = rows.length === 0;
  document.querySelector("#no-tables").hidden = rows.length > 0;
}

/** An example of what a schema describes. */
function example(schema, schemas) {
  if (schema.$ref) return example(schemas[schema.$ref.split("/").at(-1)], schemas);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return example(schema.anyOf[0], schemas);
  if (schema.properties) return Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, example(part, schemas)]));
  return { string: "…", integer: 0, boolean: true, array: [], object: {} }[schema.type] ?? null;
}

function operation(method, path, what, schemas) {
  const parts = [make("p", what.description ?? "")];
  const named = (what.parameters ?? []).filter((parameter) => parameter.in === "query");
  if (named.length) parts.push(make("p", "Query: ", make("code", named.map((each) => each.name).join(", "))));
  const sent = what.requestBody?.content["application/json"]?.schema;
  if (sent) parts.push(make("pre", JSON.stringify(example(sent, schemas), null, 1)));
  const got = (what.responses["200"] ?? what.responses["201"])?.content?.["application/json"]?.schema;
  if (got?.$ref) parts.push(make("p", "Answer:"), make("pre", JSON.stringify(example(got, schemas), null, 1)));
  return make("details", make("summary", make("code", `${method.toUpperCase()} ${path}`), ` ${what.summary ?? ""}`), ...parts);
}

async function showApi() {
  const api = await get("/api/v1/openapi.json");
  document.querySelector("#about").replaceChildren(...api.info.description.split("\n\n").map((text) => make("p", text.replaceAll(/[*`]/g, ""))));
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, what]) => operation(method, path, what, api.components.schemas)));
  document.querySelector("#api").replaceChildren(...operations);
}

await Promise.all([showTables(), showApi()]);
setInterval(() => document.hidden || showTables().catch(() => {}), 5000);
