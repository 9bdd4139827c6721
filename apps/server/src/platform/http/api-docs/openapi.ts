import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from '@postil/contract/examples/requests.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
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
export type Answer = { readonly description: string; readonly content?: Content }
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
  readonly components: { readonly securitySchemes: Json; readonly schemas: Json }
}

const DESCRIPTIONS: { readonly [status: number]: string } = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
  206: 'A part of it, as the header `Range` asks',
  303: 'To the address in the header `Location`',
  304: 'Nothing new since the one that `If-None-Match` names',
  400: 'The request cannot be read',
  401: 'Nobody is signed in, or the credentials are wrong',
  403: 'Not allowed, or not before a second factor is shown',
  404: 'Not found',
  408: 'The body did not arrive in time',
  409: 'In conflict with what is there',
  413: 'The body is larger than `POSTIL_MAX_BODY`, or the file than `POSTIL_MAX_IMPORT_FILE`',
  416: 'The header `Range` asks for what is not there',
  422: 'A value breaks a rule',
  429: 'Too many tries',
  500: 'A fault of the server, or of what an identity provider says of somebody',
  503: 'Busy, or the database or a service behind this cannot be reached; try again, after `Retry-After` seconds where it is there',
}
const describe = (status: number): string => DESCRIPTIONS[status] ?? `Status ${status}`

const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}

/** Those that may be left out have an example only where one is written: the plainest call is the one without them. */
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
    // NOTE: what a list is read into is nothing that could be sent
    schema: fallback === undefined || typeof fallback === 'object' ? schema : { ...schema, default: fallback },
    ...exampleOfParameter(id, name, schema, where === 'path' || required.includes(name)),
  }))
}

const problem = { $ref: '#/components/schemas/Problem' }
const json = (schema: Json, example?: unknown): Content => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const jsonResult = (type: z.ZodType): Content => {
  const schema = schemaOf(type, 'output')
  return json(schema, exampleOf(schema))
}

/** A file in one of its forms, or JSON. */
const contentOf = (media: readonly string[], result: AnyEndpoint['result']) =>
  media.length === 0
    ? jsonResult(result)
    : Object.fromEntries(media.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const hasBody = (status: number): boolean => status < 300 && status !== 204

const answersOf = ({ successes, errors, result, media, access, bodyKind }: AnyEndpoint): Operation['responses'] => {
  const good = successes.map((status): [string, Answer] => [
    String(status),
    { description: describe(status), ...(hasBody(status) && { content: contentOf(media, result) }) },
  ])
  // NOTE: strangers send bodies only to sign in
  const credentials = access === 'user' ? [401, 403, 503] : bodyKind === 'none' ? [] : [401]
  const refused = new Set([...errors, 422, 429, ...credentials, ...(bodyKind === 'none' ? [] : [408, 413, 503])])
  const bad = [...refused]
    .sort((a, b) => a - b)
    .map((status): [string, Answer] => [String(status), { description: describe(status), content: json(problem) }])
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
  ...(endpoint.addition && { description: 'An addition to the published wire.' }),
  tags: [tagOf(endpoint)],
  security: endpoint.access === 'none' ? [] : [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  parameters: [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query')],
  ...bodyOf(endpoint),
  responses: answersOf(endpoint),
})

/**
 * What the server offers, as OpenAPI 3.1, made from the schemas that check requests and answers.
 * @param url what the paths are relative to, without a slash at its end
 */
export const openApiOf = (endpoints: readonly AnyEndpoint[], { url, version }: { url: string; version: string }): OpenApi => {
  const paths: { [path: string]: { [method: string]: Operation } } = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postil', version, description: 'Datasets, their records, and what a team answers about them.' },
    servers: [{ url: url === '' ? '/' : url }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Argilla-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'postil_session', description: 'The session of the page' },
      },
      schemas: {
        Problem: {
          type: 'object',
          properties: {
            detail: { description: 'A sentence, or a code with its parameters, such as a list of what is wrong with the values' },
            code: { type: 'string', description: 'For a few rules of datasets, in place of `detail`' },
            message: { type: 'string', description: 'The sentence that belongs to `code`' },
          },
          anyOf: [{ required: ['detail'] }, { required: ['code', 'message'] }],
        },
      },
    },
  }
}
