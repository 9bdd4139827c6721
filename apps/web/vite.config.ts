import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './scripts/chunk-groups.ts'
import { compileAhead } from './scripts/compile-ahead.ts'
import { compressAssets } from './scripts/compress-assets.ts'
import { numberSigns } from './scripts/number-signs.ts'
import { standaloneScripts } from './scripts/standalone-scripts.ts'
import { typeNames } from './scripts/type-names.ts'

const server = process.env['POSTIL_DEV_SERVER'] ?? 'http://127.0.0.1:6900'

/** The product has one version: the server and the web app are built together. */
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }

/**
 * Whether `script` lists `needed` as a dependency of `part`. The browser loads a part and its listed dependencies at the same
 * time. It loads unlisted dependencies only after the part. The lists add to the size of the first scripts, so they leave out
 * these dependencies:
 * - those that every screen has already loaded
 * - those that the annotation screen loads when idle or after a click
 */
const isListed = (needed: string, part: string, script: string): boolean =>
  !/\/(rolldown-runtime|shell|vendor|router)-/.test(needed) &&
  (!/\/annotate-/.test(script) || /\/(parts|Editor|View|Frame|Markdown|TreeOptions|TraceTurns)-/.test(part))

export default defineConfig({
  root: import.meta.dirname,
  // Relative URLs work below any prefix. Only `<base href>` in index.html contains the prefix.
  base: './',
  define: {
    'import.meta.env.VITE_VERSION': JSON.stringify(version),
    'import.meta.env.VITE_NUMBER_SIGNS': JSON.stringify(numberSigns()),
  },
  plugins: [typeNames(), react(), compileAhead(), standaloneScripts(), compressAssets()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsDir: 'assets',
    // An inlined asset would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files, { hostId, hostType }) =>
        hostType === 'html' ? files : files.filter((one) => one.endsWith('.css') || isListed(one, file, hostId)),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // File names compress worse than anything else in the first script. Hashes are therefore only as long as needed to keep
        // the names unique.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: chunkGroups(),
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server, changeOrigin: false },
      '/share-your-progress': { target: server, changeOrigin: false },
    },
  },
})
