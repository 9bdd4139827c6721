import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compress, type Encoding } from './answers/compression.ts'
import { everywhere, frameHeaders, pageHeaders, workerHeaders } from './security-headers.ts'
import type { HttpSettings } from './settings.ts'

const TYPES: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const PACKED: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]
/** The folder whose file names contain a hash of the content. */
const HASHED = 'assets/'
const WORKER = 'sw.js'
const NOT_BUILT = 'The web app is not built yet. Run "npm start" to build it.'

type Headers = { readonly [name: string]: string }
type Document = {
  readonly body: Buffer
  readonly packed: { readonly [E in Encoding]: Buffer | null }
  readonly etag: string
  readonly headers: Headers
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Compresses a document. The build can't do this, because the document depends on the configuration. */
const document = async (html: string, headers: Headers): Promise<Document> => {
  const body = Buffer.from(html, 'utf8')
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, packed: { br: await compress(body, 'br'), gzip: await compress(body, 'gzip') }, etag, headers }
}

/** Sets the prefix in index.html's `<base href>`, against which the build's relative URLs resolve. */
const withPrefix = (html: string, baseUrl: string): string =>
  html.replace(/<base href="[^"]*"\s*\/?>/, () => `<base href="${attribute(baseUrl)}">`)

/**
 * Adds an attribute to frame.html. It lists the sources from which templates may load files. The frame's script adds these
 * sources to its content security policy.
 */
const withSources = (html: string, sources: readonly string[]): string =>
  html.replace(/<html /, () => `<html data-sources="${attribute(sources.join(' '))}" `)

/** The hashes that the policy must contain so that browsers run a document's inline scripts. */
export const scriptHashes = (html: string): readonly string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )

const listFiles = async (folder: string): Promise<ReadonlySet<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')))
}

type Built = { readonly files: ReadonlySet<string>; readonly index: Document; readonly frame: Document | null }

const load = async ({ pageDir, baseUrl, frameAncestors, templateSources }: HttpSettings): Promise<Built | null> => {
  try {
    const files = await listFiles(pageDir)
    const read = (name: string) => readFile(join(pageDir, name), 'utf8')
    const html = await read('index.html')
    const index = await document(withPrefix(html, baseUrl), pageHeaders(frameAncestors, scriptHashes(html)))
    const frame = files.has('frame.html')
      ? await document(withSources(await read('frame.html'), templateSources), frameHeaders(frameAncestors, templateSources))
      : null
    return { files, index, frame }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const sendDocument = (request: FastifyRequest, reply: FastifyReply, shown: Document): FastifyReply => {
  reply.headers({ ...shown.headers, 'cache-control': 'no-cache', etag: shown.etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === shown.etag) return reply.code(304).send()
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  const packed = encoding === null ? null : shown.packed[encoding]
  if (encoding !== null && packed !== null) reply.header('content-encoding', encoding)
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .send(packed ?? shown.body)
}

const readIfThere = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** @returns null if the file is missing because the web app was rebuilt */
const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  built: Built,
  folder: string,
  name: string,
): Promise<FastifyReply | null> => {
  const accepted = acceptedEncoding(request.headers['accept-encoding'])
  const packed = PACKED.find(
    ([encoding, ending]) =>
      built.files.has(name + ending) && (encoding === accepted || (encoding === 'gzip' && accepted !== null)),
  )
  const body = await readIfThere(join(folder, name + (packed?.[1] ?? '')))
  if (body === null) return null
  const isHashed = name.startsWith(HASHED)
  reply.headers({
    ...everywhere,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(packed && { 'content-encoding': packed[0] }),
    ...(name === WORKER && workerHeaders),
  })
  // Browsers ignore the policy of a hashed file, because it is not a document. The web app loads many such files, so the size
  // of the header matters.
  if (isHashed) reply.removeHeader('content-security-policy')
  return reply
    .code(200)
    .type(TYPES[extname(name)] ?? 'application/octet-stream')
    .send(body)
}

export type Page = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>

/**
 * Serves the built web app. Its files are precompressed. `/frame` is a document with its own origin. A missing hashed file
 * returns 404. Every other path returns index.html, and the client-side router handles the path.
 */
export const createPage = (settings: HttpSettings): Page => {
  let loaded: Promise<Built | null> | null = null
  return async (request, reply, path) => {
    loaded ??= load(settings)
    const built = await loaded
    if (built === null) {
      loaded = null
      return reply.code(503).headers(everywhere).type('text/plain; charset=utf-8').send(NOT_BUILT)
    }
    if (path === 'frame' && built.frame !== null) return sendDocument(request, reply, built.frame)
    const isFile = path !== 'index.html' && path !== 'frame.html' && built.files.has(path)
    const sent = isFile ? await sendFile(request, reply, built, settings.pageDir, path) : null
    if (sent !== null) return sent
    // The file is missing because the web app was rebuilt. The next request therefore loads the new build.
    if (isFile) loaded = null
    if (isFile || path.startsWith(HASHED)) {
      return reply.code(404).headers(everywhere).type('text/plain; charset=utf-8').send('Not Found')
    }
    return sendDocument(request, reply, built.index)
  }
}
