// Holds every reply of the server against its OpenAPI document.
import Ajv from 'ajv';

const url = process.env.LAMINA_URL;
const plainFetch = globalThis.fetch;

export const openapi = await (await plainFetch(`${url}/openapi.json`)).json();

const ajv = new Ajv({strict: false, validateFormats: false});
ajv.addSchema(openapi, 'openapi');

// How often each operation answered, and with which statuses.
export const seen = new Map();

const templates = Object.keys(openapi.paths)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`),
    }))
    // Those with fewer parameters first: they are what the server prefers.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const pointer = (...keys) =>
    keys.map((key) => encodeURIComponent(
        String(key).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

// The pointer to what an operation may answer with this status.
function responseAt(path, method, status) {
  const {responses} = openapi.paths[path][method];
  const key = status in responses ? status : 'default';
  const response = responses[key];
  if (response.$ref) return response.$ref.slice(2).split('/');
  return ['paths', path, method, 'responses', key];
}

export function checkReply(method, path, reply, text) {
  const template = templates.find(
      (known) => known.pattern.test(path) && method in openapi.paths[known.path]);
  if (template === undefined) throw new Error(`not described: ${method} ${path}`);
  const name = `${method} ${template.path}`;
  seen.set(name, [...(seen.get(name) ?? []), reply.status]);
  const at = responseAt(template.path, method, reply.status);
  const type = reply.headers.get('content-type').split(';')[0];
  if (!type.endsWith('json')) return;
  const validate = ajv.getSchema(
      `openapi#/${pointer(...at, 'content', type, 'schema')}`);
  if (validate === undefined) throw new Error(`${name}: ${type} not described`);
  if (validate(JSON.parse(text))) return;
  throw new Error(`${name}: ${reply.status} ${text} is not as described: ` +
                  ajv.errorsText(validate.errors));
}

globalThis.fetch = async (resource, options = {}) => {
  const reply = await plainFetch(resource, options);
  const method = (options.method ?? resource.method ?? 'GET').toLowerCase();
  const {pathname} = new URL(resource.url ?? resource);
  checkReply(method, pathname, reply, await reply.clone().text());
  return reply;
};
