import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig, Rolldown } from 'vite'
import { build } from 'vite'
import { filesOfKinds, filesOfScreens } from './screen-files.ts'

type Standalone = { readonly name: string; readonly entry: string }

/**
 * Runs before the first paint and before other scripts have loaded. It is inlined, because a separate file would need a request.
 */
const boot: Standalone = { name: 'boot', entry: 'src/boot/boot.ts' }
/**
 * The sandboxed frame has an opaque origin. A module script is fetched with CORS and would be blocked there; a classic script
 * is not.
 */
const frame: Standalone = { name: 'frame', entry: 'src/frame/frame.ts' }

/**
 * The service worker. It controls only the URLs in and below its own folder, so its file must be next to index.html. The file has
 * no hash in its name.
 */
const worker: Standalone = { name: 'sw', entry: 'src/worker/worker.ts' }

const bundle = async (root: string, { name, entry }: Standalone): Promise<string> => {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'baseline-widely-available',
      lib: { entry: resolve(root, entry), formats: ['iife'], name: `postil_${name}`, fileName: name },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
  const chunk = outputs.find((output) => output.type === 'chunk')
  if (!chunk) throw new Error(`no script was built from ${entry}`)
  return chunk.code
}

const frameDocument = (script: string): string =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Custom field</title></head>\n<body><script src="${script}"></script></body>\n</html>\n`

/**
 * Returns the inline script for index.html: the built files of each screen and of each kind of question and field, followed by
 * the code of the boot script.
 */
const inlineScript = async (root: string, bundled: Rolldown.OutputBundle | undefined): Promise<string> => {
  const code = await bundle(root, boot)
  // `</script` would end the inline script early.
  if (/<\/script/i.test(code)) throw new Error('the boot script contains </script')
  const files = bundled
    ? `self.postilScreens=${JSON.stringify(filesOfScreens(bundled))};self.postilKinds=${JSON.stringify(filesOfKinds(bundled))};`
    : ''
  return `<script>${files}${code.trim()}</script>`
}

/**
 * Builds the scripts that are not modules. `boot` is inlined into index.html (at `<!--boot-->`). `frame` is a classic file with a
 * hash in its name for frame.html, the document of custom fields. `sw.js` caches the web app for offline use.
 */
export const standaloneScripts = (): Plugin => {
  let config: ResolvedConfig
  return {
    name: 'postil-standalone-scripts',
    configResolved: (resolved) => {
      config = resolved
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle: bundled }) => {
        const script = await inlineScript(config.root, bundled)
        return html.replace('<!--boot-->', () => script)
      },
    },
    // This isn't done in closeBundle, because closeBundle also runs after a failed build and would hide the cause of the failure.
    writeBundle: async () => {
      if (config.command !== 'build') return
      const script = await emit(config, frame)
      await writeFile(resolve(config.root, config.build.outDir, 'frame.html'), frameDocument(`./${script}`))
      await emitWorker(config)
    },
    configureServer: (server) => {
      const serve = (path: string, type: string, body: () => Promise<string>) =>
        server.middlewares.use(path, (_request, response, next) => {
          body().then((text) => response.setHeader('content-type', type).end(text), next)
        })
      serve('/frame.js', 'text/javascript', () => bundle(config.root, frame))
      serve('/frame', 'text/html', async () => frameDocument('/frame.js'))
    },
  }
}

const emit = async (config: ResolvedConfig, script: Standalone): Promise<string> => {
  const code = await bundle(config.root, script)
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8)
  const name = `${config.build.assetsDir}/${script.name}-${hash}.js`
  await mkdir(resolve(config.root, config.build.outDir, config.build.assetsDir), { recursive: true })
  await writeFile(resolve(config.root, config.build.outDir, name), code)
  return name
}

/**
 * Emits the service worker with the names of all files that it caches, and with a version that depends on their content. The
 * worker therefore differs between releases.
 */
const emitWorker = async ({ root, build: { outDir, assetsDir } }: ResolvedConfig): Promise<void> => {
  const folder = resolve(root, outDir)
  const names = (await readdir(resolve(folder, assetsDir))).filter((name) => !/\.(br|gz)$/.test(name)).sort()
  const files = names.map((name) => `${assetsDir}/${name}`)
  const code = await bundle(root, worker)
  const hash = createHash('sha256').update(await readFile(resolve(folder, 'index.html')))
  const version = hash.update(`${files.join()}${code}`).digest('base64url').slice(0, 12)
  await writeFile(resolve(folder, 'sw.js'), `self.postilShell=${JSON.stringify({ version, files })};\n${code}`)
}
