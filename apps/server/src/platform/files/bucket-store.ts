import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { FilesPlace } from '#platform/config/files-settings.ts'
import { type FileStore, FileStoreFault, REFRESH_MS } from './define.ts'

type Bucket = Extract<FilesPlace, { kind: 's3' }> & {
  readonly s3Endpoint?: string | undefined
  readonly s3Region: string
  readonly s3AccessKey?: string | undefined
  readonly s3SecretKey?: string | undefined
}

const TIMEOUT_MS = 60_000
/** Maximum number of objects that one call of `remove` deletes. */
const REMOVED = 200

/** Returns the URL-decoded contents of a tag in a listing. */
const namesIn = (xml: string, tag: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, name = '']) =>
    decodeURIComponent(name.replaceAll('+', ' ')),
  )

/** Stores files in an S3-compatible bucket. Requests use AWS Signature Version 4. */
export const bucketStore = (bucket: Bucket): FileStore => {
  const { s3Endpoint, s3Region, s3AccessKey = '', s3SecretKey = '', prefix } = bucket
  const endpoint = s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`
  const base = `${endpoint}/${bucket.bucket}`
  const client = new AwsClient({
    accessKeyId: s3AccessKey,
    secretAccessKey: s3SecretKey,
    region: s3Region,
    service: 's3',
    retries: 3,
  })
  const host = new URL(endpoint).host
  const ask = async (
    what: string,
    address: string,
    init: RequestInit & { readonly allow?: readonly number[] },
  ): Promise<Response> => {
    const { allow = [], ...request } = init
    let answer: Response
    try {
      answer = await client.fetch(address, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error }
      throw new FileStoreFault(
        `The bucket ${bucket.bucket} at ${host} could not be reached to ${what}: ${cause?.message || message}`,
      )
    }
    if (answer.ok || allow.includes(answer.status)) return answer
    const code = /<Code>([\w.]{1,100})<\/Code>/.exec(await answer.text().catch(() => ''))?.[1]
    throw new FileStoreFault(
      `The bucket ${bucket.bucket} at ${host} refused to ${what}: ${answer.status}${code ? ` ${code}` : ''}`,
    )
  }
  const keyOf = (dataset: string, name: string) => `${prefix}${dataset}/${name}`
  const addressOf = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`
  const page = async (dataset: string, after: string | null, most: number) => {
    const query = new URLSearchParams({
      'list-type': '2',
      'encoding-type': 'url',
      prefix: `${prefix}${dataset}/`,
      'max-keys': String(most),
    })
    if (after !== null) query.set('continuation-token', after)
    const xml = await (await ask('list files', `${base}?${query}`, { method: 'GET' })).text()
    // The token is plain XML text and not URL-encoded.
    const token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(xml)?.[1]?.replaceAll('&amp;', '&') ?? null
    const times = [...xml.matchAll(/<LastModified>([^<]*)<\/LastModified>/g)].map(([, time = '']) => Date.parse(time))
    return { keys: namesIn(xml, 'Key'), times, next: /<IsTruncated>true<\/IsTruncated>/.test(xml) ? token : null }
  }
  /** Name and time of each file of a dataset. */
  async function* all(dataset: string): AsyncGenerator<readonly [string, number]> {
    for (let after: string | null = null, more = true; more; ) {
      const { keys, times, next }: Awaited<ReturnType<typeof page>> = await page(dataset, after, 1000)
      // A file whose time can't be parsed is treated as new.
      for (const [i, key] of keys.entries()) yield [key.slice(keyOf(dataset, '').length), times[i] || Date.now()]
      after = next
      more = next !== null
    }
  }
  const timeOf = (answer: Response): number => Date.parse(answer.headers.get('last-modified') ?? '') || Date.now()
  return {
    location: `s3://${bucket.bucket}/${prefix} at ${host}`,
    put: async (dataset, name, bytes) => {
      const address = addressOf(keyOf(dataset, name))
      const known = await ask('check for a file', address, { method: 'HEAD', allow: [404] })
      if (known.ok && timeOf(known) > Date.now() - REFRESH_MS) return
      await ask('store a file', address, {
        method: 'PUT',
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: {
          'content-type': 'application/octet-stream',
          'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
        },
      })
    },
    open: async (dataset, name) => {
      const address = addressOf(keyOf(dataset, name))
      const found = await ask('check for a file', address, { method: 'HEAD', allow: [404] })
      if (!found.ok) return null
      return {
        size: Number(found.headers.get('content-length') ?? 0),
        read: async function* (start, end) {
          if (end <= start) return
          const headers = { range: `bytes=${start}-${end - 1}` }
          const answer = await ask('read a file', address, { method: 'GET', headers })
          let sent = 0
          for await (const chunk of answer.body ?? []) {
            sent += chunk.length
            yield chunk
          }
          if (sent !== end - start) throw new FileStoreFault(`The bucket ${bucket.bucket} at ${host} sent an incomplete file`)
        },
      }
    },
    list: async function* (dataset) {
      for await (const [name] of all(dataset)) yield name
    },
    listOld: async function* (dataset, before) {
      for await (const [name, at] of all(dataset)) if (at < before) yield name
    },
    removeOld: async (dataset, name, before) => {
      const address = addressOf(keyOf(dataset, name))
      const found = await ask('check for a file', address, { method: 'HEAD', allow: [404] })
      if (found.ok && timeOf(found) >= before) return false
      if (found.ok) await ask('delete a file', address, { method: 'DELETE', allow: [404] })
      return true
    },
    remove: async (dataset) => {
      const { keys } = await page(dataset, null, REMOVED)
      for (const key of keys) await ask('delete a file', addressOf(key), { method: 'DELETE', allow: [404] })
      return keys.length < REMOVED
    },
  }
}
