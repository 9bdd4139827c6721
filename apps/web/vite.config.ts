import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './scripts/compress-assets.ts'
import { standaloneScripts } from './scripts/standalone-scripts.ts'

const server = process.env['POSTIL_DEV_SERVER'] ?? 'http://127.0.0.1:6900'

/** Small modules of ours that every screen needs: one file instead of a dozen requests. */
const shell =
  /\/packages\/client\/src\/(address|api-error|transport)\.|\/apps\/web\/src\/(lib\/(api\/(?!dataset-queries|error-codes)|prefs\/)|lib\/url\/(redirect|escape|query-string|home-search|annotation-params|sign-in-link)\.|i18n\/\w+\.ts|features\/auth\/(api|service)\.|ui\/(Button|IconButton|Input|VisuallyHidden|Mark|toast|announcer|class-names|use-document-title)\.)/

/** All slices of question and field types travel in one file per language: ten requests would cost more than their bytes. */
const messagesGroup = (id: string): string | null => {
  const match = /\/src\/(question-types|field-types|features\/annotate)\/.*messages\.([a-z]{2})\.json$/.exec(id)
  return match ? `messages-annotate-${match[2]}` : null
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses work below any prefix: `<base href>` in index.html is the one place that knows it.
  base: './',
  plugins: [react(), standaloneScripts(), compressAssets()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsDir: 'assets',
    // An inlined asset would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Names of files are what compresses worst in the first script: no longer than keeps them apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: messagesGroup, debugName: 'messages of the annotation screen', priority: 20 },
            // What every screen needs anyway, in two files that outlive our own releases in caches. Not the query library:
            // sign-in needs little of it.
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 10 },
            {
              name: 'vendor',
              test: /\/node_modules\/(@tanstack\/(react-router|router-core|history|store|react-store)|i18next|react-i18next|use-sync-external-store)/,
              priority: 9,
            },
            { name: 'shell', test: shell, priority: 8 },
            // The ways to sign in are one screen's, and each file of its own costs more than most of them hold.
            { name: 'sign-in', test: /\/src\/features\/auth\/components\/(?!Provider|Hosting)/, priority: 7 },
          ],
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
