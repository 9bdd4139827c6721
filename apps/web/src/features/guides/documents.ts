/**
 * The pages of the documentation that users and operators need, in reading order. They are in English, whatever the UI language
 * is.
 */
export const documents = [
  'search',
  'security',
  'settings',
  'command-line',
  'operations',
  'typescript-client',
  'wire-additions',
  'wire-differences',
  'glossary',
] as const
type DocumentName = (typeof documents)[number]

export const isDocument = (name: string): name is DocumentName => (documents as readonly string[]).includes(name)

const files = import.meta.glob<string>('../../../../../docs/*.md', { query: '?raw', import: 'default' })

/**
 * Replaces links between files with links between pages. Links to files that the web app doesn't contain become plain text.
 * @param addressOf returns the address of a page
 */
export const withPageLinks = (text: string, addressOf: (name: DocumentName) => string): string =>
  text.replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, (link, label: string, target: string) => {
    if (/^https?:/.test(target)) return link
    const name = /^([\w-]+)\.md(?:#|$)/.exec(target)?.[1]
    return name !== undefined && isDocument(name) ? `[${label}](${addressOf(name)})` : label
  })

/** Matches lines that start a block: a heading, a table row, a quote, a list item or a code fence. */
const startsBlock = /^\s*(#|\||>|[-*+] |\d+[.)] |```)/

/** Joins the lines of each paragraph. The files wrap their lines, and the web app's Markdown keeps line breaks. */
export const joinLines = (text: string): string => {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    const before = lines.at(-1)
    const isFence = line.trimStart().startsWith('```')
    const isContinued = before !== undefined && before.trim() !== '' && !/^\s*(#|\||```)/.test(before)
    if (!isCode && isContinued && line.trim() !== '' && !startsBlock.test(line))
      lines[lines.length - 1] = `${before} ${line.trim()}`
    else lines.push(line)
    if (isFence) isCode = !isCode
  }
  return lines.join('\n')
}

/** Separates the heading of a page from its text. */
export const splitTitle = (source: string): { readonly title: string; readonly text: string } => {
  const [, title = '', text = source] = /^# (.*)\n([\s\S]*)$/.exec(source) ?? []
  return { title, text }
}

/** Loads the Markdown source of a page. */
export const loadDocument = async (name: DocumentName): Promise<string> => {
  const load = files[`../../../../../docs/${name}.md`]
  if (load === undefined) throw new Error(`docs/${name}.md is not part of the web app`)
  return load()
}
