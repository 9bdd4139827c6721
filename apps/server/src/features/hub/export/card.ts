import type { Field } from '@postil/contract/fields.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import { patternOf, type Subset } from '../layout.ts'

type CardContent = {
  readonly repository: string
  readonly records: number
  readonly guidelines: string | null
  readonly subsets: readonly Subset[]
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly metadata: readonly MetadataProperty[]
  readonly vectors: readonly VectorSettings[]
}

const SIZES: readonly (readonly [below: number, name: string])[] = [
  [1e3, 'n<1K'],
  [1e4, '1K<n<10K'],
  [1e5, '10K<n<100K'],
  [1e6, '100K<n<1M'],
  [1e7, '1M<n<10M'],
]
const sizeOf = (records: number): string => SIZES.find(([below]) => records < below)?.[1] ?? 'n>10M'

/** A JSON string is also a YAML string */
const quoted = (value: string): string => JSON.stringify(value)

const frontMatter = ({ records, subsets }: CardContent): string => {
  const configs = subsets.flatMap(({ name, splits }) => [
    `- config_name: ${quoted(name)}`,
    '  data_files:',
    ...splits.flatMap((split) => [`  - split: ${quoted(split)}`, `    path: ${quoted(patternOf(name, split))}`]),
  ])
  const tags = ['tags:', '- rlfh', '- argilla', '- human-feedback']
  return ['---', `size_categories: ${sizeOf(records)}`, ...tags, 'configs:', ...configs, '---'].join('\n')
}

/** A table cell. Characters that would end the cell or be read as HTML are escaped. */
const cell = (value: unknown): string =>
  String(value ?? '')
    .replace(/[\\|`*_[\]]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/\s+/g, ' ')
    .trim()

const table = (heading: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [heading, heading.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n')

const yes = (flag: boolean): string => (flag ? 'yes' : 'no')

const optionsOf = ({ settings }: Question): string =>
  'options' in settings ? settings.options.map((option) => ('text' in option ? option.text : option.value)).join(', ') : ''

const rangeOf = ({ settings }: MetadataProperty): string => {
  if ('values' in settings) return (settings.values ?? []).join(', ')
  return settings.min === null && settings.max === null ? '' : `${settings.min ?? ''} to ${settings.max ?? ''}`
}

const section = (title: string, ...parts: readonly string[]): readonly string[] => [`## ${title}`, ...parts]

/** The card of an exported dataset: its content, its guidelines, and how to load it. */
export const cardOf = (content: CardContent): string => {
  const { repository, guidelines, fields, questions, metadata, vectors } = content
  const python = (...lines: readonly string[]) => ['```python', ...lines, '```'].join('\n')
  const id = quoted(repository)
  return [
    frontMatter(content),
    `# ${cell(repository.split('/').at(-1))}`,
    'Annotated records, exported from a server that is compatible with the `argilla` library.',
    ...section(
      'Load the dataset',
      'Load the records as a table with `pip install datasets`:',
      python('from datasets import load_dataset', '', `dataset = load_dataset(${id})`),
      'Load the records and settings into an annotation server with `pip install argilla`:',
      python('import argilla as rg', '', `dataset = rg.Dataset.from_hub(${id}, settings="auto")`),
    ),
    ...section(
      'Fields',
      'The content of a record. Each field is a column.',
      table(
        ['Name', 'Title', 'Type', 'Required'],
        fields.map(({ name, title, settings, required }) => [name, title, settings.type, yes(required)]),
      ),
    ),
    ...section(
      'Questions',
      'Answers are in `<name>.responses`, their authors in `<name>.responses.users`, and their statuses in `<name>.responses.status`. Suggestions are in `<name>.suggestion`.',
      table(
        ['Name', 'Title', 'Type', 'Required', 'Description', 'Options'],
        questions.map((one) => [one.name, one.title, one.settings.type, yes(one.required), one.description, optionsOf(one)]),
      ),
    ),
    ...(metadata.length === 0
      ? []
      : section(
          'Metadata',
          'In `metadata.<name>`.',
          table(
            ['Name', 'Title', 'Type', 'Values', 'Visible to annotators'],
            metadata.map((one) => [one.name, one.title, one.settings.type, rangeOf(one), yes(one.visible_for_annotators)]),
          ),
        )),
    ...(vectors.length === 0
      ? []
      : section(
          'Vectors',
          'In `vector.<name>`.',
          table(
            ['Name', 'Title', 'Dimensions'],
            vectors.map(({ name, title, dimensions }) => [name, title, dimensions]),
          ),
        )),
    ...(guidelines ? section('Annotation guidelines', guidelines) : []),
    '',
  ].join('\n\n')
}
