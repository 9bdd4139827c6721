import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

const script = 'console.log("page")'
/** An inline script of the document. */
const boot = 'document.title = "page"'
let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postil page '))
  await mkdir(join(folder, 'assets'))
  const page =
    `<!doctype html><base href="/"><script>${boot}</script><script type="module" src="./assets/main-abc.js"></script>`.padEnd(
      1000,
    )
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'index.html.br'), brotliCompressSync(page))
  await writeFile(join(folder, 'frame.html'), '<!doctype html><script src="./assets/frame-abc.js"></script>')
  await writeFile(join(folder, 'assets/main-abc.js'), script)
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync(script))
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  await writeFile(join(folder, 'sw.js'), script)
  await writeFile(join(folder, 'manifest.webmanifest'), '{}')
  await writeFile(join(folder, '../outside.txt'), 'outside')
  server = await bootServer({ pageDir: folder, env: { POSTIL_BASE_URL: '/a/b' } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Requests a path unchanged. `fetch` would resolve dot segments first, even encoded ones. */
const getRaw = (path: string, headers: { readonly [name: string]: string } = {}) =>
  new Promise<{ status: number | undefined; text: string }>((done, failed) => {
    const asked = request(server.url, { path: new URL(server.url).pathname + path, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString()
      done({ status: answer.statusCode, text })
    })
    asked.on('error', failed).end()
  })
const get = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init)

describe('the page', () => {
  test.each([
    '/',
    '/sign-in',
    '/dataset/1/annotation-mode?page=2',
    '/org%2Fname',
    '/org/name',
    '/index.html',
    '/api',
    '/api/v2/me',
    '/%E0%A4%A',
    '/dataset/%E0%A4%A/settings',
  ])('is served at %s with the prefix in it', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('<base href="/a/b/">')
  })

  it("is not served at an API path, even one that can't be decoded", async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await get('/api/v1/users/%E0%A4%A', { method })
      expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Not Found' }])
    }
  })

  it("has a service worker that is revalidated and may only fetch the app's own files", async () => {
    const { status, headers } = await get('/sw.js')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
    expect((await get('/manifest.webmanifest')).headers.get('content-type')).toBe('application/manifest+json')
  })

  it('is revalidated and not sent again if the browser has it', async () => {
    const { headers } = await get('/')
    expect(headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('is sent in the encoding that the browser accepts', async () => {
    for (const [accept, encoding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get('/', { headers: { 'accept-encoding': accept } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(await answer.text()).toContain('<base href="/a/b/">')
    }
  })

  it('answers HEAD like GET, and no other method', async () => {
    const head = await get('/datasets', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/html; charset=utf-8', ''])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await get('/datasets', { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('runs only scripts from its own files and its inline script, and allows no framing', async () => {
    const { headers } = await get('/')
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((one) => one.split(/ (.*)/s) as [string, string]),
    )
    const hash = createHash('sha256').update(boot).digest('base64')
    expect(policy.get('script-src')).toBe(`'self' 'sha256-${hash}'`)
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('object-src')).toBe("'none'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })
})

describe('a file of the page', () => {
  it('is immutable and precompressed if its name has a hash', async () => {
    for (const [accept, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get('/assets/main-abc.js', { headers: { 'accept-encoding': accept } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(await answer.text()).toBe(script)
    }
  })

  it('is revalidated if its name has no hash', async () => {
    const answer = await get('/favicon.svg')
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual(['image/svg+xml', 'no-cache'])
  })

  it('returns 404, not the page, if it does not exist', async () => {
    expect((await get('/assets/old-hash.js')).status).toBe(404)
  })

  it.each([
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/..%5coutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/%252e%252e%252foutside.txt',
    '/..%252foutside.txt',
    '/assets/..%252f..%252foutside.txt',
    '/assets/%252e%252e%255c%252e%252e%255coutside.txt',
    '/..%25%32%66outside.txt',
    '/..%25252foutside.txt',
    '/%c0%ae%c0%ae%c0%afoutside.txt',
  ])('is never served from outside the folder: %s', async (path) => {
    const { status, text } = await getRaw(path)
    expect([200, 400, 404]).toContain(status)
    expect(text).not.toContain('outside')
  })

  it('is found only by its literal name, without any decoding', async () => {
    expect(await getRaw('/assets/main-abc.js')).toEqual({ status: 200, text: script })
    for (const start of ['%6d', '%256d', '%25%36%64', '%25256d']) {
      expect([start, (await getRaw(`/assets/${start}ain-abc.js`)).status]).toEqual([start, 404])
    }
  })
})

it('an ID in an API path is decoded once, never twice', async () => {
  const { id, api_key } = server.owner
  const first = id.charCodeAt(0).toString(16)
  const ask = (start: string) => getRaw(`/api/v1/users/${start}${id.slice(1)}`, { 'x-argilla-api-key': api_key })
  expect([(await ask(id[0] ?? '')).status, (await ask(`%${first}`)).status, (await ask(`%25${first}`)).status]).toEqual([
    200, 200, 422,
  ])
})

describe('the custom field frame', () => {
  it("is a document in its own origin that can't send requests", async () => {
    const answer = await get('/frame')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(await answer.text()).toContain('frame-abc.js')
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; /)
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).not.toContain('allow-same-origin')
  })
})

it('in a Hub Space, only the Hub can frame the page', async () => {
  const space = await bootServer({ pageDir: folder, env: { SPACE_ID: 'org/space' } })
  expect((await fetch(space.url)).headers.get('content-security-policy')).toContain('frame-ancestors https://huggingface.co')
  const frame = await fetch(`${space.url}/frame`)
  expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self' https://huggingface.co")
  await space.close()
})

it('a page rebuilt under a running server is served once a file of the old build is requested', async () => {
  const pageDir = await mkdtemp(join(tmpdir(), 'postil page '))
  const build = async (hash: string) => {
    await rm(join(pageDir, 'assets'), { recursive: true, force: true })
    await mkdir(join(pageDir, 'assets'))
    await writeFile(join(pageDir, 'index.html'), `<!doctype html><script src="./assets/main-${hash}.js"></script>`)
    await writeFile(join(pageDir, `assets/main-${hash}.js`), script)
  }
  await build('old')
  const own = await bootServer({ pageDir })
  const ask = (path: string) => fetch(`${own.url}${path}`)
  expect((await ask('/assets/main-old.js')).status).toBe(200)
  await build('new')
  expect((await ask('/assets/main-old.js')).status).toBe(404)
  expect(await (await ask('/')).text()).toContain('main-new.js')
  expect((await ask('/assets/main-new.js')).status).toBe(200)
  await own.close()
  await rm(pageDir, { recursive: true })
})

it('a sentence replaces the page if it was not built', async () => {
  const bare = await bootServer()
  const answer = await fetch(bare.url)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('not built')])
  expect((await fetch(`${bare.url}/api/v1/version`)).status).toBe(200)
  await bare.close()
})
