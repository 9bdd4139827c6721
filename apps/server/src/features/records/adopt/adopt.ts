import { forbidden } from '@postil/contract/wire/errors.ts'
import { knownUsers, type SentResponse } from '#features/responses/service.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Kept } from '#platform/kept.ts'
import type { BulkArgs } from '../bulk/bulk-commands.ts'
import { unpackRecords } from '../bulk/pack.ts'
import type { PreparedRecord, PreparedSuggestion } from '../bulk/prepare.ts'
import { recordPolicy } from '../policy.ts'
import { loadSchema, type Schema } from '../schema.ts'
import { datasetScope, takeBulkTurn } from '../scope.ts'
import { lookUp, mergeItem, newTarget, type Target } from '../targets.ts'
import { writeTargets } from '../write.ts'
import { keepable, type LeftOut } from './adopt-rules.ts'
import { loadStanding, type Standing } from './adopt-standing.ts'

/** Ids and times of a record, and of its answers and suggestions in the order in which they are packed. */
export type KeptRecord = Kept & { readonly responses: readonly Kept[]; readonly suggestions: readonly Kept[] }
export type AdoptArgs = BulkArgs & {
  /** Of each packed record. */
  readonly kept: readonly KeptRecord[]
}
export type Adopted = { readonly created: number; readonly changed: number; readonly leftOut: readonly LeftOut[] }

type Place = { readonly schema: Schema; readonly standing: Standing; readonly datasetNo: number }

/** Of answers those that are not here yet, or older here. One that was deleted here comes back under another id. */
const newerAnswers = (
  list: readonly SentResponse[],
  seq: number | null,
  { standing, datasetNo }: Place,
): readonly SentResponse[] =>
  list.flatMap((one) => {
    const { user_id, kept } = one
    if (kept === undefined) return []
    if (seq !== null && kept.updated_at <= standing.responseAt(seq, user_id, kept.id)) return []
    return [standing.isBuried(kept.id) ? { ...one, kept: { ...kept, id: newDatasetId(datasetNo) } } : one]
  })

/** What of an item is not here yet, or is older here, as the target wants it. */
const want = (target: Target, item: PreparedRecord, place: Place): void => {
  const { stored, kept, suggestions, vectors, responses } = target
  const { schema, standing } = place
  const isNewer = stored === null || (kept !== null && kept.updated_at > stored.updated_at)
  mergeItem(target, isNewer ? item : { ...item, fields: null, metadata: null }, schema)
  const answers = newerAnswers(responses.flat(), stored?.seq ?? null, place)
  responses.splice(0, responses.length, ...(answers.length > 0 ? [answers] : []))
  if (stored === null) return
  for (const [no, { kept: own }] of suggestions) {
    if ((own?.updated_at ?? 0) <= standing.suggestionAt(stored.seq, no)) suggestions.delete(no)
  }
  for (const [no, { numbers }] of vectors) {
    if (standing.hasVector(stored.seq, no, numbers)) vectors.delete(no)
  }
}

const isWanted = ({ stored, kept, suggestions, vectors, responses }: Target): boolean =>
  stored === null ||
  (kept !== null && kept.updated_at > stored.updated_at) ||
  suggestions.size + vectors.size + responses.length > 0

/**
 * Brings over records of another server with their ids and times, and with all that hangs on them. What is here already stays when
 * it is as new or was changed here later, so that the same again changes nothing. Webhooks are not told: nothing happened, it only moved.
 * A draft dataset takes records as well, since there may be servers that let them in.
 * @returns how many records were made and changed, and what was left out
 * @throws Problem not_found, forbidden
 */
export const adoptRecords = command('records.adopt', async (db: Db, args: AdoptArgs): Promise<Adopted> => {
  const { user, dataset_id, packed, kept } = args
  await takeBulkTurn(db, dataset_id)
  const dataset = await datasetScope(db, dataset_id, user, { hold: true })
  if (!recordPolicy.create(user, dataset)) throw forbidden()
  const schema = await loadSchema(db, dataset.id)
  const items = unpackRecords(packed)
  const authors = items.flatMap(({ responses }) => responses.map(({ user_id }) => user_id))
  const users = await knownUsers(db, authors)
  const find = await lookUp(db, dataset.no, items)
  const found = items.map(find)
  const seqs = found.flatMap((record) => (record === null ? [] : [record.seq]))
  const responseIds = kept.flatMap(({ responses }) => responses.map(({ id }) => id))
  const standing = await loadStanding(db, dataset.no, { seqs: [...new Set(seqs)], responseIds })
  const place = { schema, standing, datasetNo: dataset.no }
  const leftOut: LeftOut[] = []
  const targets: Target[] = []
  const claimed = new Set<unknown>()
  for (const [i, item] of items.entries()) {
    const stored = found[i] ?? null
    const own = kept[i]
    if (own === undefined) throw new Error('a record came without its id')
    const { id, inserted_at, updated_at } = own
    const report = (part: string, reason: string) => leftOut.push({ record_id: id, part, reason })
    const claim = stored ?? item.external_id
    if (claim !== null && claimed.has(claim)) {
      report('the record', `another record has the external id ${JSON.stringify(item.external_id)}`)
      continue
    }
    claimed.add(claim)
    const good = keepable(item, { schema, users, stored: stored?.fields_json ?? null }, report)
    if (good === null) continue
    const target = newTarget(stored, stored === null ? item.external_id : stored.external_id, { id, inserted_at, updated_at })
    want(target, withKept(good.item, own, good), place)
    if (isWanted(target)) targets.push(target)
  }
  if (targets.length > 0) await writeTargets(db, { dataset, schema, actor: user.id }, targets)
  const created = targets.filter(({ stored }) => stored === null).length
  return { created, changed: targets.length - created, leftOut }
})

type Places = { readonly responses: readonly number[]; readonly suggestions: readonly number[] }

/** The item with those of its answers and suggestions that stay, each with its id and times. */
const withKept = (item: PreparedRecord, own: KeptRecord, places: Places): PreparedRecord => {
  const { responses, suggestions } = item
  const sent = suggestions ?? []
  return {
    ...item,
    responses: places.responses.flatMap((place) => {
      const one = responses[place]
      return one === undefined ? [] : [{ ...one, kept: own.responses[place] }]
    }),
    suggestions: places.suggestions.flatMap((place): PreparedSuggestion[] => {
      const one = sent[place]
      return one === undefined ? [] : [{ ...one, kept: own.suggestions[place] }]
    }),
  }
}
