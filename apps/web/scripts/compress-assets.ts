import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

const brotli = promisify(brotliCompress)
const gzipAsync = promisify(gzip)
const compressible = /\.(js|css|html|svg|json|txt|webmanifest)$/
const minimumBytes = 512

/** Writes `.br` and `.gz` files next to every text file of the build, so that the server never compresses at request time. */
export const compressAssets = (): Plugin => {
  let config: ResolvedConfig
  return {
    name: 'postil-compress-assets',
    apply: 'build',
    enforce: 'post',
    configResolved: (resolved) => {
      config = resolved
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: async () => {
        const folder = resolve(config.root, config.build.outDir)
        const entries = await readdir(folder, { recursive: true, withFileTypes: true })
        const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name))
        await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
      },
    },
  }
}

/**
 * Combinations of Brotli's distance parameters and block size. The best combination for a file can only be found by trying all of
 * them.
 */
const variants: readonly { readonly [param: number]: number }[] = [
  {},
  { [constants.BROTLI_PARAM_LGBLOCK]: 16 },
  { [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 2 },
  { [constants.BROTLI_PARAM_LGBLOCK]: 16, [constants.BROTLI_PARAM_NPOSTFIX]: 1, [constants.BROTLI_PARAM_NDIRECT]: 2 },
]

const smallest = async (content: Buffer): Promise<Buffer> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const compressed = await Promise.all(variants.map((variant) => brotli(content, { params: { ...params, ...variant } })))
  return compressed.reduce((best, one) => (one.length < best.length ? one : best))
}

const compress = async (path: string): Promise<void> => {
  const content = await readFile(path)
  if (content.length < minimumBytes) return
  await Promise.all([
    smallest(content).then((compressed) => writeFile(`${path}.br`, compressed)),
    gzipAsync(content, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ])
}
