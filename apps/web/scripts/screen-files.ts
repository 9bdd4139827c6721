import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { type ScreenFiles, screens } from '../src/boot/screens.ts'

type Chunk = Rolldown.OutputChunk & { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } }

const source = fileURLToPath(new URL('../src/', import.meta.url))

/**
 * Returns the built files that each screen needs: the files of its modules and their imports, except those that index.html
 * loads for every screen.
 * @throws if a module isn't in any file
 */
export const filesOfScreens = (bundle: Rolldown.OutputBundle): readonly ScreenFiles[] => {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk')
  const chunkOf = (id: string): Chunk => {
    const found = chunks.find(({ modules }) => id in modules)
    if (!found) throw new Error(`no file contains ${id}`)
    return found
  }
  const closure = (ids: readonly string[]): ReadonlySet<Chunk> => {
    const visited = new Set<Chunk>()
    const add = (chunk: Chunk): void => {
      if (visited.has(chunk)) return
      visited.add(chunk)
      for (const name of chunk.imports) {
        const imported = chunks.find(({ fileName }) => fileName === name)
        if (imported) add(imported)
      }
    }
    for (const id of ids) add(chunkOf(id))
    return visited
  }
  const sharedChunks = closure([`${source}app/main.tsx`])
  const messages = chunks.flatMap(({ modules }) => Object.keys(modules)).filter((id) => /messages\.[a-z]{2}\.json$/.test(id))
  const languages = chunks
    .flatMap(({ modules }) => Object.keys(modules))
    .flatMap((id) => /\/i18n\/messages\/common\.([a-z]{2,3})\.json$/.exec(id)?.[1] ?? [])
  const textsOf = (areas: readonly string[], language: string): readonly string[] => {
    const ids = areas.map((area) => `${source}${area}/messages.${language}.json`).filter((id) => messages.includes(id))
    const named = [`${source}i18n/messages/common.${language}.json`, ...ids].map((id) => chunkOf(id).fileName)
    return [...new Set(named)]
  }
  return screens.map(({ path, query, open, modules, texts }) => {
    const requiredFiles = [...closure(modules.map((name) => source + name))].filter((chunk) => !sharedChunks.has(chunk))
    // Longest first: the longest file fills the connection while small files load in parallel.
    const byLength = requiredFiles.toSorted((a, b) => b.code.length - a.code.length)
    return {
      path: path.source,
      ...(query && { query: query.source }),
      ...(open && { open }),
      scripts: byLength.map(({ fileName }) => fileName),
      styles: [...new Set(byLength.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
      texts: Object.fromEntries(languages.map((language) => [language, textsOf(texts, language)])),
    }
  })
}
