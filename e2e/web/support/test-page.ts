import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { typeNames } from '@postil/web/scripts/type-names.ts'
import { build } from 'vite'

const web = join(import.meta.dirname, '..', '..', '..', 'apps', 'web')
const types: { readonly [ending: string]: string } = { js: 'text/javascript', css: 'text/css' }
const html = (title: string): string =>
  `<!doctype html><html lang="en"><base href="/"><title>${title}</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="page.css"><main><h1>A page</h1></main><script type="module" src="page.js"></script></html>`

type Built = readonly { readonly output: readonly { fileName: string; code?: string; source?: string }[] }[]

/**
 * Builds and serves a component as a separate page, for cases that no screen shows. @param entry path in the web app's sources
 */
export const serveTestPage = async (
  entry: string,
  title: string,
): Promise<{ readonly url: string; readonly close: () => void }> => {
  const built = await build({
    root: web,
    configFile: false,
    logLevel: 'error',
    plugins: [typeNames()],
    build: {
      write: false,
      lib: { entry: `src/${entry}`, formats: ['es'], fileName: () => 'page.js', cssFileName: 'page' },
    },
    // The test runner sets another value, which would produce a development build.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
  })
  const files = new Map<string, string | Uint8Array>()
  for (const { output } of [built].flat() as Built)
    for (const { fileName, code, source } of output) files.set(`/${fileName}`, code ?? source ?? '')
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const found = path === '/' ? html(title) : files.get(path)
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': types[path.split('.').pop() ?? ''] ?? 'text/html' })
    response.end(found)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
