import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from '@postil/contract/examples/requests.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { messageHeader } from '@postil/contract/wire/message-header.ts'
import { z } from 'zod'
import { exampleOf } from './example-of.ts'

type Json = { readonly [key: string]: unknown }
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Json
  readonly example?: unknown
}
type Content = { readonly [type: string]: { readonly schema: Json; readonly example?: unknown } }
export type Answer = { readonly description: string; readonly headers?: Json; readonly content?: Content }
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Json[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: { readonly [status: string]: Answer }
}
export type OpenApi = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly securitySchemes: Json; readonly headers: Json; readonly schemas: Json }
}

const DESCRIPTIONS: { readonly [status: number]: string } = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, without a body',
  206: 'The part that the header `Range` requests',
  303: 'Redirect to the address in the header `Location`',
  304: 'Not modified since the version in `If-None-Match`',
  400: 'The request is malformed',
  401: 'Not signed in, or the credentials are wrong',
  403: 'Not allowed, or two-factor authentication is required first',
  404: 'Not found',
  408: 'The body did not arrive in time',
  409: 'Conflict with existing data',
  413: 'The body exceeds `POSTIL_MAX_BODY`, or the file exceeds `POSTIL_MAX_IMPORT_FILE`',
  416: 'The range in the header `Range` is outside the file',
  422: 'A value is invalid',
  429: 'Too many requests',
  500: 'Server error, or an identity provider sent unusable data',
  503: 'The server is busy, or its database or another service is unavailable. Retry later, after `Retry-After` seconds if that header is sent',
}
const describe = (status: number): string => DESCRIPTIONS[status] ?? `Status ${status}`

/** The JSON Schema of a type, without the `$schema` key that names the version of JSON Schema. */
export const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}

/** Optional parameters have an example only if one is defined, because the simplest call omits them. */
const exampleOfParameter = (endpoint: string, name: string, schema: Json, required: boolean): { readonly example?: unknown } => {
  const written = PARAMETER_EXAMPLES[endpoint]?.[name]
  if (written !== undefined) return { example: written }
  return required ? { example: exampleOf(schema, name) } : {}
}

const parametersOf = ({ id, params, query }: AnyEndpoint, where: Parameter['in']): Parameter[] => {
  const type = where === 'path' ? params : query
  const { properties = {}, required = [] } = schemaOf(type, 'input') as {
    readonly properties?: { readonly [name: string]: Json }
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { default: fallback, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    // The default of a list parameter is an array. It is left out, because clients send lists as text.
    schema: fallback === undefined || typeof fallback === 'object' ? schema : { ...schema, default: fallback },
    ...exampleOfParameter(id, name, schema, where === 'path' || required.includes(name)),
  }))
}

/** The header's name as HTTP writes it. Header names are case-insensitive. */
const errorHeader = messageHeader.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
const errorHeaders = { [errorHeader]: { $ref: `#/components/headers/${errorHeader}` } }

const problem = { $ref: '#/components/schemas/Problem' }
const json = (schema: Json, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const jsonResult = (type: z.ZodType): Content => {
  const schema = schemaOf(type, 'output')
  return json(schema, exampleOf(schema))
}

/** The schema of a file: any value for a JSON file, bytes for other files. */
const fileSchema = (type: string): Json => (type.startsWith('application/json') ? {} : { type: 'string', format: 'binary' })

const contentOf = (media: readonly string[], result: AnyEndpoint['result']) =>
  media.length === 0 ? jsonResult(result) : Object.fromEntries(media.map((type) => [type, { schema: fileSchema(type) }]))

const hasBody = (status: number): boolean => status < 300 && status !== 204

const answersOf = ({ successes, errors, result, media, access, bodyKind }: AnyEndpoint): Operation['responses'] => {
  const good = successes.map((status): [string, Answer] => [
    String(status),
    { description: describe(status), ...(hasBody(status) && { content: contentOf(media, result) }) },
  ])
  // The only public routes with a body are the sign-in routes.
  const credentials = access === 'user' ? [401, 403, 503] : bodyKind === 'none' ? [] : [401]
  const refused = new Set([...errors, 422, 429, ...credentials, ...(bodyKind === 'none' ? [] : [408, 413, 503])])
  const bad = [...refused]
    .sort((a, b) => a - b)
    .map((status): [string, Answer] => [
      String(status),
      { description: describe(status), headers: errorHeaders, content: json(problem) },
    ])
  return Object.fromEntries([...good, ...bad])
}

const bodyOf = ({ id, bodyKind, body }: AnyEndpoint): Pick<Operation, 'requestBody'> => {
  if (bodyKind === 'none') return {}
  if (bodyKind === 'stream') {
    return {
      requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
    }
  }
  const schema = schemaOf(body, 'input')
  const example = BODY_EXAMPLES[id]
  if (bodyKind === 'json') return { requestBody: { required: true, content: json(schema, example) } }
  const content = { 'application/x-www-form-urlencoded': { schema, example }, 'multipart/form-data': { schema, example } }
  return { requestBody: { required: true, content } }
}

const tagOf = ({ id }: AnyEndpoint): string => (id.split('.')[0] ?? id).replaceAll('_', ' ')

const operationOf = (endpoint: AnyEndpoint): Operation => ({
  operationId: endpoint.id,
  summary: endpoint.summary,
  ...(endpoint.addition && { description: 'Not part of the API of Argilla 2.8.0.' }),
  tags: [tagOf(endpoint)],
  security: endpoint.access === 'none' ? [] : [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  parameters: [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query')],
  ...bodyOf(endpoint),
  responses: answersOf(endpoint),
})

/**
 * The server's OpenAPI 3.1 document, generated from the schemas that validate requests and responses.
 * @param url the base URL of the paths, without a trailing slash
 */
export const openApiOf = (endpoints: readonly AnyEndpoint[], { url, version }: { url: string; version: string }): OpenApi => {
  const paths: { [path: string]: { [method: string]: Operation } } = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postil',
      version,
      description: 'A data annotation server: datasets, records, suggestions and the answers of annotators.',
    },
    servers: [{ url: url === '' ? '/' : url }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Argilla-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'postil_session', description: 'The session of a signed-in browser' },
      },
      headers: {
        [errorHeader]: {
          description:
            'The code and parameters of the error, as percent-encoded JSON. Omitted if the error has no code. If the parameters are too long, only the code is sent',
          required: false,
          schema: { type: 'string', example: encodeURIComponent('{"code":"required"}') },
        },
      },
      schemas: {
        Problem: {
          type: 'object',
          properties: {
            detail: { description: 'One sentence, or a code with parameters, such as the list of validation problems' },
            code: { type: 'string', description: 'Sent instead of `detail` for a few business rules' },
            message: { type: 'string', description: 'The sentence for `code`' },
          },
          anyOf: [{ required: ['detail'] }, { required: ['code', 'message'] }],
        },
      },
    },
  }
}
