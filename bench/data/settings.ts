import type { DebianPackage } from './debian-index.ts'
import { VECTOR_SIZE } from './hash.ts'

/** The dataset's settings in wire format, derived from the package index. */
export type DataSettings = {
  readonly guidelines: string
  readonly fields: readonly {
    readonly name: string
    readonly title: string
    readonly required: boolean
    readonly settings: object
  }[]
  readonly questions: readonly {
    readonly name: string
    readonly title: string
    readonly description?: string
    readonly required: boolean
    readonly settings: object
  }[]
  readonly metadata: readonly { readonly name: string; readonly title: string; readonly settings: object }[]
  readonly vectors: readonly { readonly name: string; readonly title: string; readonly dimensions: number }[]
}

export const CANDIDATES = ['libs', 'devel', 'utils'] as const
export const MENTIONS = ['program', 'library'] as const
const TAGS = 40

const mostFrequent = (values: Iterable<string>, limit: number): string[] => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([value]) => value)
}

const options = (values: readonly string[]) => values.map((value) => ({ value, text: value }))

export const settingsOf = (packages: readonly DebianPackage[]): DataSettings => {
  const sections = mostFrequent(
    packages.map((one) => one.section),
    100,
  )
  const tags = mostFrequent(
    packages.flatMap((one) => one.tags),
    TAGS,
  )
  return {
    guidelines:
      '# Debian packages\n\nDescribe each package: its **section**, its tags, how useful it is to most people, a one-sentence summary, the programs and libraries that the text mentions, and which of three sections fits best.',
    fields: [
      { name: 'name', title: 'Name', required: true, settings: { type: 'text', use_markdown: false } },
      { name: 'description', title: 'Description', required: true, settings: { type: 'text', use_markdown: false } },
    ],
    questions: [
      {
        name: 'section',
        title: 'Which section is it in?',
        required: true,
        settings: { type: 'label_selection', options: options(sections), visible_options: 10 },
      },
      {
        name: 'tags',
        title: 'Which tags apply?',
        required: true,
        settings: { type: 'multi_label_selection', options: options(tags), visible_options: 10 },
      },
      {
        name: 'usefulness',
        title: 'How useful is it to most people?',
        description: '1 is for a few specialists, 5 for nearly everyone.',
        required: true,
        settings: { type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) },
      },
      { name: 'summary', title: 'Summarize it in one sentence', required: true, settings: { type: 'text', use_markdown: false } },
      {
        name: 'mentions',
        title: 'Programs and libraries that are mentioned',
        required: false,
        settings: { type: 'span', field: 'description', options: options(MENTIONS), allow_overlapping: false },
      },
      {
        name: 'candidates',
        title: 'Which of these sections fits best?',
        required: true,
        settings: { type: 'ranking', options: options(CANDIDATES) },
      },
    ],
    metadata: [
      { name: 'archive_section', title: 'Section', settings: { type: 'terms' } },
      { name: 'installed_size', title: 'Installed size (kB)', settings: { type: 'integer' } },
      { name: 'description_length', title: 'Length of the description', settings: { type: 'float' } },
    ],
    vectors: [{ name: 'words', title: 'Bag of words', dimensions: VECTOR_SIZE }],
  }
}
