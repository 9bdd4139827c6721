import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type StandInBucket = {
  /** The URL of the service. */
  readonly url: string
  readonly name: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  /** The objects in the bucket, keyed by their S3 keys. */
  readonly objects: Map<string, Uint8Array>
  /** When each object was stored, in milliseconds since the epoch. Objects that a test adds directly are treated as new. */
  readonly times: Map<string, number>
  /** Method and path of each accepted request. */
  readonly requests: string[]
  /** If set, every request fails with this status. */
  failWith: number | null
  readonly close: () => Promise<void>
}

const hash = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

type Keys = Pick<StandInBucket, 'region' | 'accessKey' | 'secretKey'>

/** Whether a request has a valid AWS Signature Version 4. Source: AWS's "Signature Version 4 signing process". */
const isSigned = (request: IncomingMessage, body: Uint8Array, { region, accessKey, secretKey }: Keys): boolean => {
  const { authorization = '' } = request.headers
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', place, names = '', signature = ''] = form.exec(authorization) ?? []
  const time = String(request.headers['x-amz-date'] ?? '')
  const payload = String(request.headers['x-amz-content-sha256'] ?? '')
  if (key !== accessKey || place !== region || !time.startsWith(day) || !names.split(';').includes('host')) return false
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) return false
  const url = new URL(request.url ?? '', 'http://localhost')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}\n`)
    .join('')
  const canonical = [request.method, url.pathname, query, headers, names, payload].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')
  const signing = [region, 's3', 'aws4_request'].reduce<Buffer>((made, part) => hmac(made, part), hmac(`AWS4${secretKey}`, day))
  return timingSafeEqual(hmac(signing, text), Buffer.from(signature, 'hex'))
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

type StoredObject = Pick<StandInBucket, 'objects' | 'times'>

const list = (response: ServerResponse, { objects, times }: StoredObject, query: URLSearchParams): void => {
  const [prefix, after, most] = [
    query.get('prefix') ?? '',
    query.get('continuation-token') ?? '',
    Number(query.get('max-keys') ?? 1000),
  ]
  const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const keys = all.slice(0, most)
  const isCut = keys.length < all.length
  const contents = keys
    .map((key) => {
      const time = new Date(times.get(key) ?? Date.now()).toISOString()
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${time}</LastModified></Contents>`
    })
    .join('')
  const next = isCut ? `<NextContinuationToken>${keys.at(-1)}</NextContinuationToken>` : ''
  response.end(`<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${contents}${next}</ListBucketResult>`)
}

const send = (request: IncomingMessage, response: ServerResponse, bytes: Uint8Array, time: number): void => {
  response.setHeader('last-modified', new Date(time).toUTCString())
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1)
  response.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length })
  response.end(request.method === 'HEAD' ? undefined : part)
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

type BucketRequest = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: Buffer }

const ofObject = ({ request, response, body }: BucketRequest, { objects, times }: StoredObject, key: string): void => {
  const { method } = request
  if (method === 'PUT') {
    objects.set(key, new Uint8Array(body))
    times.set(key, Date.now())
  }
  if (method === 'DELETE') objects.delete(key)
  if (method === 'PUT' || method === 'DELETE') {
    response.writeHead(method === 'PUT' ? 200 : 204).end()
    return
  }
  const found = objects.get(key)
  if (found === undefined) refuse(response, 404, 'NoSuchKey')
  else send(request, response, found, times.get(key) ?? Date.now())
}

/** A service with one bucket that implements the part of S3 needed to store files. Accepts signed requests only. */
export const startBucket = async (): Promise<StandInBucket> => {
  const storedObjects: StoredObject = { objects: new Map(), times: new Map() }
  const bucket = { name: 'pictures', region: 'eu-test-1', accessKey: 'AKTEST', secretKey: 'a secret of the tests' }
  const state = { failWith: null as number | null }
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '', 'http://localhost')
    if (state.failWith !== null) return refuse(response, state.failWith, 'SlowDown')
    if (!isSigned(request, body, bucket)) return refuse(response, 403, 'SignatureDoesNotMatch')
    requests.push(`${request.method} ${url.pathname}`)
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    if (name !== bucket.name) return refuse(response, 404, 'NoSuchBucket')
    if (key === '') return list(response, storedObjects, url.searchParams)
    return ofObject({ request, response, body }, storedObjects, key)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    ...bucket,
    url: `http://127.0.0.1:${port}`,
    ...storedObjects,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}
