import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { type Files, type KindFiles, kindModules, type ScreenFiles, screens } from '../src/boot/screens.ts'

type Chunk = Rolldown.OutputChunk & { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } }

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** Returns which files of a bundle contain which modules. @throws if a module isn't in any file */
const readBundle = (bundle: Rolldown.OutputBundle) => {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk')
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules))
  const chunkOf = (id: string): Chunk => {
    const found = chunks.find((chunk) => id in chunk.modules)
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
  /** Returns the files of the given modules and of their imports, excluding the files in `loaded`. */
  const filesOf = (ids: readonly string[], loaded: ReadonlySet<Chunk>): Files => {
    const required = [...closure(ids)].filter((chunk) => !loaded.has(chunk))
    // The longest file comes first, so that its download starts before the downloads of the small files.
    const byLength = required.toSorted((a, b) => b.code.length - a.code.length)
    return {
      scripts: byLength.map(({ fileName }) => fileName),
      styles: [...new Set(byLength.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))],
    }
  }
  return { modules, chunkOf, closure, filesOf }
}

/**
 * Returns the built files that each screen needs: the files of its modules and their imports, except those that index.html
 * loads for every screen.
 * @throws if a module isn't in any file
 */
export const filesOfScreens = (bundle: Rolldown.OutputBundle): readonly ScreenFiles[] => {
  const { modules: built, chunkOf, closure, filesOf } = readBundle(bundle)
  const sharedChunks = closure([`${source}app/main.tsx`])
  const messages = built.filter((id) => /messages\.[a-z]{2}\.json$/.test(id))
  const languages = built.flatMap((id) => /\/i18n\/messages\/common\.([a-z]{2,3})\.json$/.exec(id)?.[1] ?? [])
  const textsOf = (areas: readonly string[], language: string): readonly string[] => {
    const ids = areas.map((area) => `${source}${area}/messages.${language}.json`).filter((id) => messages.includes(id))
    const named = [`${source}i18n/messages/common.${language}.json`, ...ids].map((id) => chunkOf(id).fileName)
    return [...new Set(named)]
  }
  return screens.map(({ path, query, open, modules, texts }) => ({
    path: path.source,
    ...(query && { query: query.source }),
    ...(open && { open }),
    ...filesOf(
      modules.map((name) => source + name),
      sharedChunks,
    ),
    texts: Object.fromEntries(languages.map((language) => [language, textsOf(texts, language)])),
  }))
}

/** Returns the built files of each kind of question and field, except those that the annotation screen always loads. */
export const filesOfKinds = (bundle: Rolldown.OutputBundle): { readonly questions: KindFiles; readonly fields: KindFiles } => {
  const { modules, closure, filesOf } = readBundle(bundle)
  const loaded = closure(
    ['app/main.tsx', 'app/shell/SignedInShell.tsx', 'features/annotate/AnnotatePage.tsx'].map((name) => source + name),
  )
  const kindsIn = (folder: string): KindFiles => {
    const parts = modules.filter((id) => id.startsWith(source + folder) && kindModules.some((name) => id.endsWith(`/${name}`)))
    const byKind = Map.groupBy(parts, (id) => id.slice(source.length + folder.length).split('/')[0] ?? '')
    const files = [...byKind].map(([kind, ids]) => [kind, filesOf(ids, loaded)] as const)
    return Object.fromEntries(files.filter(([, { scripts }]) => scripts.length > 0))
  }
  return { questions: kindsIn('question-types/'), fields: kindsIn('field-types/') }
}
