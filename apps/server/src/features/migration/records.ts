import { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import { RecordUpsert } from '@postil/contract/records.ts'
import { type RecordResponse, type ResponseStatus, Returned } from '@postil/contract/responses.ts'
import { Shown } from '@postil/contract/shown.ts'
import { SuggestionOutcomes } from '@postil/contract/suggestion-outcomes.ts'
import { SuggestionCreate } from '@postil/contract/suggestions.ts'
import { isJsonObject, type JsonObject, jsonFault } from '@postil/contract/wire/json.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { z } from 'zod'
import type { AppContext } from '#context.ts'
import { adoptRecords, type LeftOut, type OriginalRecord, packRecords, prepareRecord } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { SourceSeqs } from './copy-rows.ts'
import { type Images, imagesOf } from './images.ts'
import type { People } from './people.ts'
import type { PlannedDataset } from './plan.ts'
import { deletedRecords } from './queries.ts'
import type { SourceClient } from './source/client.ts'
import { firstFault } from './source/fault.ts'
import { readRecords } from './source/read.ts'
import { type SourceRecord, SourceResponse, SourceSuggestion } from './source/shapes.ts'

type Report = (part: string, reason: string) => void

/** Accepts messages of any length, because the source's operator may have raised the length limits. */
const Content = RecordUpsert({ ...defaultLimits, roleLength: { min: 0, max: 1e9 }, messageLength: { min: 0, max: 1e9 } })

const faultOf = (error: z.ZodError): string => firstFault(error, 'it')

type SourceRow = Omit<OriginalRow, 'version'> & { readonly version?: number | null | undefined }

const originalOf = ({ id, inserted_at, updated_at, version }: SourceRow): OriginalRow => ({
  id,
  inserted_at,
  updated_at,
  ...(version != null && { version }),
})

/** Leaves out metadata that can't be stored exactly. Top-level numbers are checked later, against the properties. */
const metadataOf = (sent: unknown, report: Report): unknown => {
  if (!isJsonObject(sent)) return sent ?? null
  const entries = Object.entries(sent).filter(([name, value]) => {
    const fault = jsonFault(name) ?? (typeof value === 'number' ? null : jsonFault(value))
    if (fault !== null) report(`metadata ${JSON.stringify(name)}`, renderMessage(fault))
    return fault === null
  })
  return Object.fromEntries(entries) as JsonObject
}

type SourceAnswer = RecordResponse & { readonly returned: Returned | null }
type Answers = { readonly responses: SourceAnswer[]; readonly originals: OriginalRow[] }

/** Postil servers may list published final answers among the answers. Only final answers have the key `gold`. */
const isPublished = (one: unknown): boolean => typeof one === 'object' && one !== null && 'gold' in one

const answersOf = async (raw: readonly unknown[], people: People, report: Report): Promise<Answers> => {
  const answers: Answers = { responses: [], originals: [] }
  const authors = new Set<string>()
  for (const one of raw.filter((answer) => !isPublished(answer))) {
    const parsed = SourceResponse.safeParse(one)
    const values = AnswerValues.safeParse(parsed.data?.values ?? {})
    const author = parsed.data?.user_id ?? null
    const user_id = author === null ? null : await people.localId(author)
    if (!parsed.success) report('an answer', faultOf(parsed.error))
    else if (!values.success) report('an answer', faultOf(values.error))
    else if (user_id === null) report('an answer', `its author ${author ?? ''} is not a user on the source server`)
    else if (authors.has(user_id)) report('an answer', `the record already has an answer by user ${user_id}`)
    else {
      authors.add(user_id)
      // Only Postil servers send suggestion outcomes. Invalid outcomes are dropped and don't make the answer invalid.
      const outcomes = SuggestionOutcomes.safeParse(parsed.data.suggestion_outcomes)
      const suggestion_outcomes = outcomes.success ? outcomes.data : null
      const shown = Shown.safeParse(parsed.data.shown).data ?? null
      const returned = Returned.safeParse(parsed.data.returned).data ?? null
      answers.responses.push({ user_id, status: parsed.data.status, values: values.data, suggestion_outcomes, shown, returned })
      answers.originals.push(originalOf(parsed.data))
    }
  }
  return answers
}

type Suggestions = { readonly suggestions: SuggestionCreate[]; readonly originals: OriginalRow[] }

const suggestionsOf = (raw: readonly unknown[], report: Report): Suggestions => {
  const found: Suggestions = { suggestions: [], originals: [] }
  for (const one of raw) {
    const place = SourceSuggestion.safeParse(one)
    const content = SuggestionCreate.safeParse(one)
    if (!place.success) report('a suggestion', faultOf(place.error))
    else if (!content.success) report('a suggestion', faultOf(content.error))
    else {
      found.suggestions.push(content.data)
      found.originals.push(originalOf(place.data))
    }
  }
  return found
}

type Prepared = { readonly record: ReturnType<typeof prepareRecord>; readonly originals: OriginalRecord }

const prepare = async (sent: SourceRecord, people: People, report: Report): Promise<Prepared | null> => {
  const { id, external_id, fields, vectors } = sent
  const content = Content.safeParse({ id, external_id, fields, metadata: metadataOf(sent.metadata, report), vectors })
  if (!content.success) {
    report('the record', faultOf(content.error))
    return null
  }
  const { responses, originals: responseOriginals } = await answersOf(sent.responses, people, report)
  const { suggestions, originals: suggestionOriginals } = suggestionsOf(sent.suggestions, report)
  return {
    record: prepareRecord({ ...content.data, responses, suggestions }),
    originals: { ...originalOf(sent), responses: responseOriginals, suggestions: suggestionOriginals },
  }
}

/** What was found in the source's records, how many records were created or changed, and which items were left out. */
export type CopiedRecords = {
  readonly answers: { readonly [status in ResponseStatus]: number }
  readonly suggestions: number
  readonly vectors: number
  /** By path. */
  readonly images: ReadonlyMap<string, FileAddress>
  readonly created: number
  readonly changed: number
  readonly leftOut: readonly LeftOut[]
}
type Options = {
  readonly client: SourceClient
  readonly people: People
  readonly images: Images
  readonly user: Actor
  /** The `seq` of each record at the source; null if the source doesn't list them. */
  readonly seqs: SourceSeqs | null
  /** The IDs of the source's snapshots. */
  readonly snapshots: readonly string[]
  readonly onPage: (done: number, total: number) => void
}

const reportMissing = (files: readonly FileAddress[], faults: ReadonlyMap<string, string | null>, report: Report): void => {
  for (const path of new Set(files.map((file) => file.path))) {
    const fault = faults.get(path) ?? null
    if (fault !== null) report(`the image ${path}`, fault)
  }
}

/**
 * Copies the records of a dataset that already exists here. Each page is one transaction. @throws MigrationError, Problem,
 * FileStoreFault
 */
export const copyRecords = async (
  { store }: AppContext,
  { source: { id: dataset_id } }: PlannedDataset,
  { client, people, images, user, seqs, snapshots, onPage }: Options,
): Promise<CopiedRecords> => {
  const answers = { submitted: 0, draft: 0, discarded: 0 }
  const named = new Map<string, FileAddress>()
  const copied = { answers, suggestions: 0, vectors: 0, images: named, created: 0, changed: 0, leftOut: [] as LeftOut[] }
  const deleted = await store.read(deletedRecords, { id: dataset_id })
  let done = 0
  for await (const { items, total } of readRecords(client, dataset_id)) {
    const ready: Prepared[] = []
    const places = await seqs?.of(items.map(({ id }) => id))
    // Records that were deleted here after they were copied stay deleted.
    const isNotDeleted = ({ id, updated_at }: SourceRecord) => updated_at <= (deleted.get(id) ?? Number.NEGATIVE_INFINITY)
    const files = new Map(items.map((item) => [item, imagesOf(item)]))
    for (const file of [...files.values()].flat()) named.set(file.path, file)
    const faults = await images.copy(items.flatMap((item) => (isNotDeleted(item) ? [] : (files.get(item) ?? []))))
    for (const item of items) {
      const report: Report = (part, reason) => copied.leftOut.push({ record_id: item.id, part, reason })
      const one = isNotDeleted(item) ? null : await prepare(item, people, report)
      if (one !== null) reportMissing(files.get(item) ?? [], faults, report)
      if (one !== null) ready.push(one)
      for (const { status } of item.responses.flatMap((raw) => SourceResponse.safeParse(raw).data ?? [])) answers[status] += 1
      copied.suggestions += item.suggestions.length
      copied.vectors += Object.keys(item.vectors).length
    }
    if (ready.length > 0) {
      const packed = packRecords(ready.map(({ record }) => record))
      const originals = ready.map((one) => ({ ...one.originals, seq: places?.get(one.originals.id) }))
      const { created, changed, leftOut } = await store.write(adoptRecords, {
        ...{ user, dataset_id, packed, originals, snapshots },
      })
      copied.created += created
      copied.changed += changed
      copied.leftOut.push(...leftOut)
    }
    done += items.length
    onPage(done, Math.max(done, total))
  }
  return copied
}
