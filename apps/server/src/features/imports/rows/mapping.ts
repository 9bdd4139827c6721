import type { FileMapping, ImportColumn } from '@postil/contract/files/imports.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Schema } from '#features/records/public.ts'
import { isOwnFile, type OwnColumn, ownColumns, RECORD_COLUMNS, RECORD_ID } from '../own-file.ts'

export type Names = {
  readonly fields: readonly string[]
  readonly questions: readonly string[]
  readonly properties: readonly string[]
}

/** For a dataset that doesn't exist yet. */
export const noNames: Names = { fields: [], questions: [], properties: [] }
export const namesOf = (schema: Schema): Names => ({
  fields: schema.fields.map(({ name }) => name),
  questions: schema.questions.map(({ name }) => name),
  properties: schema.properties.map(({ name }) => name),
})

type Target = {
  readonly unknown: 'noFieldOfName' | 'noPropertyOfName' | 'noQuestionOfName'
  readonly twice: 'fieldMappedTwice' | 'propertyMappedTwice' | 'questionMappedTwice'
  readonly pairs: FileMapping['suggestions'] | FileMapping['fields']
  readonly known: readonly string[] | null
}

/** Whether a column contains only one option of a question, so that several columns fill the question together. */
const isOption = (pair: Target['pairs'][number] | undefined): boolean =>
  pair !== undefined && 'option' in pair && pair.option != null

/**
 * @param header the file's columns; empty when each row names its own columns
 * @throws Problem unprocessable for columns or targets that don't exist
 */
export const checkMapping = (mapping: FileMapping, header: readonly string[], names: Names, allowExtra: boolean): void => {
  const targets: readonly Target[] = [
    { unknown: 'noFieldOfName', twice: 'fieldMappedTwice', pairs: mapping.fields, known: names.fields },
    {
      unknown: 'noPropertyOfName',
      twice: 'propertyMappedTwice',
      pairs: mapping.metadata,
      known: allowExtra ? null : names.properties,
    },
    { unknown: 'noQuestionOfName', twice: 'questionMappedTwice', pairs: mapping.suggestions, known: names.questions },
  ]
  const quoted = (name: string) => JSON.stringify(name)
  const checkSource = (source: string) => {
    if (header.length > 0 && !header.includes(source)) throw unprocessable(message('noFileColumn', { column: quoted(source) }))
  }
  for (const { unknown, twice, pairs, known } of targets) {
    for (const [i, { source, target }] of pairs.entries()) {
      checkSource(source)
      if (known !== null && !known.includes(target)) throw unprocessable(message(unknown, { name: quoted(target) }))
      const first = pairs.findIndex((pair) => pair.target === target)
      if (first !== i && !(isOption(pairs[first]) && isOption(pairs[i]))) {
        throw unprocessable(message(twice, { name: quoted(target) }))
      }
    }
  }
  for (const { score } of mapping.suggestions) if (score) checkSource(score)
  if (mapping.external_id) checkSource(mapping.external_id)
  if (mapping.record_id) checkSource(mapping.record_id)
}

/** The columns that a mapping reads. */
export const sourcesOf = ({ fields, metadata, suggestions, external_id, record_id }: FileMapping): readonly string[] => [
  ...[...fields, ...metadata, ...suggestions].map(({ source }) => source),
  ...suggestions.flatMap(({ score }) => (score ? [score] : [])),
  ...[external_id, record_id].filter((column) => column != null),
]

type Pair = { readonly source: string; readonly target: string; readonly separator?: string }
export type ProposedMapping = {
  readonly fields: readonly Pair[]
  readonly metadata: readonly Pair[]
  readonly suggestions: readonly Pair[]
  readonly external_id: string | null
  /** The column with the records' server IDs, in a downloaded file. */
  readonly record_id: string | null
}

/** The name among `known` that matches a column. In Postil's own exports, the column name may have a prefix or suffix. */
const named = (column: string, known: readonly string[], around = (name: string) => name): string | undefined =>
  known.find((name) => name === column || around(name) === column) ??
  known.find((name) => name.toLowerCase() === column.toLowerCase())

/**
 * Proposes a mapping to an existing dataset: columns whose names match the dataset's parts, and a column that looks like an ID.
 */
export const proposeMapping = (columns: readonly ImportColumn[], names: Names): ProposedMapping => {
  const isOwn = isOwnFile(columns)
  const fields: Pair[] = []
  const metadata: Pair[] = []
  const suggestions: Pair[] = []
  const parts = { fields, metadata, suggestions }
  const own: ReadonlyMap<string, OwnColumn> = isOwn ? ownColumns(columns, names) : new Map()
  const isOpen = (part: OwnColumn['part']) => {
    const taken = new Set([...own.values()].flatMap((one) => (one.part === part ? [one.target] : [])))
    return (name: string): boolean => !taken.has(name)
  }
  const open = {
    fields: names.fields.filter(isOpen('fields')),
    questions: names.questions.filter(isOpen('suggestions')),
    properties: names.properties.filter(isOpen('metadata')),
  }
  const isFree = (pairs: readonly Pair[], target: string | undefined): target is string =>
    target !== undefined && !pairs.some((pair) => pair.target === target)
  for (const { name: source, separator } of columns) {
    const known = own.get(source)
    if (known !== undefined) parts[known.part].push({ source, target: known.target })
    if (known !== undefined || (isOwn && RECORD_COLUMNS.has(source))) continue
    const field = named(source, open.fields)
    const question = named(source, open.questions, (name) => `${name}.suggestion`)
    const property = named(source, open.properties, (name) => `metadata.${name}`)
    if (isFree(fields, field)) fields.push({ source, target: field })
    else if (isFree(suggestions, question)) suggestions.push({ source, target: question, ...(separator && { separator }) })
    else if (isFree(metadata, property)) metadata.push({ source, target: property })
  }
  const [onlyText, ...moreTexts] = columns.filter(({ proposal }) => proposal?.role === 'field')
  const [onlyField, ...moreFields] = names.fields
  if (fields.length === 0 && onlyText && moreTexts.length === 0 && onlyField && moreFields.length === 0) {
    fields.push({ source: onlyText.name, target: onlyField })
  }
  const id = columns.find(({ proposal }) => proposal?.role === 'external_id')
  return { fields, metadata, suggestions, external_id: id?.name ?? null, record_id: isOwn ? RECORD_ID : null }
}
