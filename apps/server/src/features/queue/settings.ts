import type { PrintedOrder, PrintedQueueSettings, QueueSettings } from '@postil/contract/queue.ts'
import type { Filter, Order, SearchBody } from '@postil/contract/search.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetScope, type ScopeDataset, viewerOf } from '#features/records/public.ts'
import { metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/public.ts'
import { type FirstSearch, isShuffled, refuseUnknown } from '#features/search/public.ts'
import { ownTests } from '#features/test-items/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { queuePolicy } from './policy.ts'
import { type InDataset, queueDataset } from './scope.ts'

/** How records are assigned. Questions, metadata properties and vectors are identified by name. */
type Rules = Omit<PrintedQueueSettings, 'assigned'>

const defaults: Rules = { order: null, shuffled: false, max_per_person: null, assigned_by: null, others_answer_assigned: false }

type Scope = Pick<ScopeDataset, 'id' | 'queue'>

const storedOf = ({ queue }: Scope): Rules => ({
  ...defaults,
  ...(queue as Partial<Rules> | null),
  shuffled: isShuffled({ queue }),
})

/** How many records one user may submit answers to; null for no limit. */
export const capOf = (dataset: Scope): number | null => storedOf(dataset).max_per_person

/** Whether the queue can assign a record to other people if the record has assignees. */
export const othersAnswerAssigned = (dataset: Scope): boolean => storedOf(dataset).others_answer_assigned

/** Whether records are assigned only to named users. Stays true if the property that named them is deleted. */
export const isAssigned = (dataset: Scope): boolean => storedOf(dataset).assigned_by !== null

/**
 * How records of a dataset are assigned. Settings that refer to deleted questions, metadata properties or vectors are ignored.
 */
export const queueSettingsOf = async (db: Db, dataset: Scope): Promise<Rules> => {
  const stored = storedOf(dataset)
  if (stored.order === null && stored.assigned_by === null) return stored
  const [questions, properties, vectors] = await pipeline([
    questionRows(db, dataset.id),
    metadataPropertyRows(db, dataset.id),
    vectorSettingsRows(db, dataset.id),
  ])
  const exists = ({ scope }: PrintedOrder): boolean => {
    if (scope.entity === 'spread') return vectors.some(({ name }) => name === scope.vector)
    if (scope.entity === 'metadata') return properties.some(({ name }) => name === scope.metadata_property)
    return !('question' in scope && scope.question) || questions.some(({ name }) => name === scope.question)
  }
  const order = stored.order?.filter(exists) ?? []
  const assigned = properties.find(({ name }) => name === stored.assigned_by)
  return { ...stored, order: order.length > 0 ? order : null, assigned_by: assigned?.name ?? null }
}

/** The vector field by which records are spread; null if the order isn't a spread. */
const spreadOf = ([first]: readonly PrintedOrder[]): string | null =>
  first?.scope.entity === 'spread' ? first.scope.vector : null

/** The order in the form that searches use. */
const sortOf = (order: readonly PrintedOrder[]): Order[] =>
  order.flatMap(({ scope, order: direction }) => (scope.entity === 'spread' ? [] : [{ scope, order: direction }]))

/** Whether records are found by a search rather than by reading the queue. */
export const isSearched = ({ order, assigned_by }: Rules): boolean => order !== null || assigned_by !== null

const ofRecord = (property: 'status', values: string[]): Filter => ({
  type: 'terms',
  scope: { entity: 'record', property },
  values,
})

/**
 * The search for records that may be assigned to the user with this name. @param drafts whether to include records with the
 * user's draft
 */
const searchBodyFor = (
  { order, assigned_by }: Rules,
  { username, drafts }: { readonly username: string; readonly drafts: boolean },
): SearchBody => ({
  filters: {
    and: [
      ofRecord('status', ['pending']),
      { type: 'terms', scope: { entity: 'response', property: 'status' }, values: drafts ? ['pending', 'draft'] : ['pending'] },
      ...(assigned_by === null
        ? []
        : [
            {
              type: 'terms' as const,
              scope: { entity: 'metadata' as const, metadata_property: assigned_by },
              values: [username],
            },
          ]),
    ],
  },
  ...(order && { sort: sortOf(order) }),
})

type QueueUser = { readonly id: string; readonly username: string }

/**
 * The searches for a user's next records, in the order in which the queue assigns the records. No record is found by two of the
 * searches. Records with an assignment to the user come first, whichever user their metadata property `assigned_by` names.
 * @param hasAssignments whether the dataset has or had assignments
 */
export const queueSearches = (
  rules: Rules,
  { user, hasAssignments, ...options }: { readonly user: QueueUser; readonly hasAssignments: boolean; readonly drafts: boolean },
): readonly Omit<FirstSearch, 'parts'>[] => {
  const rest = searchBodyFor(rules, { username: user.username, ...options })
  const spread = spreadOf(rules.order ?? [])
  if (!hasAssignments) return [{ body: rest, spread, assigned: null }]
  const own = { users: [user.id], nobody: false, negated: false }
  const nobody = { users: [], nobody: true, negated: false }
  const others = { users: [user.id], nobody: true, negated: true }
  return [
    { body: searchBodyFor({ ...rules, assigned_by: null }, { username: user.username, ...options }), spread, assigned: own },
    { body: rest, spread, assigned: nobody },
    ...(rules.others_answer_assigned ? [{ body: rest, spread, assigned: others }] : []),
  ]
}

/** The number of a dataset's records for which a user has submitted answers. Test items are included. */
export const submittedOf = async (db: Db, datasetNo: number, userId: string): Promise<number> => {
  const row = await db.sql
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number | null>('n').as('n'))
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', userId)
    .where('response_status', '=', 'submitted')
    .executeTakeFirst()
  const tests = await ownTests(db, datasetNo, userId)
  return (row?.n ?? 0) + tests.filter(({ status }) => status === 'submitted').length
}

const printed = (rules: Rules): PrintedQueueSettings => ({ ...rules, assigned: rules.assigned_by !== null })

/** Removes the names of metadata that the caller may not see. @param seen names that the caller may see; null for all */
const printedFor = (rules: Rules, seen: ReadonlySet<string> | null): PrintedQueueSettings => {
  const isSeen = (name: string): boolean => seen === null || seen.has(name)
  const order = (rules.order ?? []).filter(({ scope }) => scope.entity !== 'metadata' || isSeen(scope.metadata_property))
  const assigned_by = rules.assigned_by !== null && isSeen(rules.assigned_by) ? rules.assigned_by : null
  return { ...printed(rules), order: order.length > 0 ? order : null, assigned_by }
}

/** @throws Problem not_found, forbidden */
export const getSettings = query('queue.settings', async (db, of: InDataset): Promise<PrintedQueueSettings> => {
  const dataset = await queueDataset(db, of, 'settings')
  const rules = await queueSettingsOf(db, dataset)
  const { metadata } = await viewerOf(db, dataset.id, of.user, { own: false })
  return printedFor(rules, metadata)
})

const refuseUnassignable = async (db: Db, datasetId: string, name: string): Promise<void> => {
  const property = (await metadataPropertyRows(db, datasetId)).find((row) => row.name === name)
  if (property === undefined) throw unprocessable(`Metadata property \`${name}\` not found in the dataset`)
  if (property.settings.type !== 'terms')
    throw unprocessable(
      `Records can be assigned only by a terms metadata property; \`${name}\` is of type ${property.settings.type}`,
    )
}

const refuseUnspreadable = async (db: Db, datasetId: string, vector: string | null): Promise<void> => {
  if (vector === null) return
  const settings = await vectorSettingsRows(db, datasetId)
  if (settings.length === 0) throw unprocessable(message('spreadNeedsVectors'))
  if (!settings.some(({ name }) => name === vector))
    throw unprocessable(message('notInDataset', { part: 'Vector', name: vector }))
}

const rulesOf = ({
  order = null,
  shuffled,
  max_per_person = null,
  assigned_by = null,
  others_answer_assigned,
}: QueueSettings): Rules =>
  // Safe: the settings' schema rejects all orders that the type `Rules` doesn't allow.
  ({
    order: order as Rules['order'],
    shuffled: shuffled ?? false,
    max_per_person,
    assigned_by,
    others_answer_assigned: others_answer_assigned ?? false,
  })

const storeRules = (db: Db, dataset_id: string, rules: Rules) =>
  db.sql
    .updateTable('datasets')
    .set({ queue: json(rules as unknown as JsonObject) })
    .where('id', '=', dataset_id)
    .execute()

/** @throws Problem not_found, forbidden, unprocessable */
export const setSettings = command(
  'queue.set-settings',
  async (db, { body, ...of }: InDataset & { readonly body: QueueSettings }): Promise<PrintedQueueSettings> => {
    const dataset = await datasetScope(db, of.dataset_id, of.user, { hold: true })
    if (!queuePolicy.setSettings(of.user, dataset)) throw forbidden()
    const rules = rulesOf(body)
    const { order, assigned_by } = rules
    if (order !== null) {
      await refuseUnknown(db, of.dataset_id, { sort: sortOf(order) })
      await refuseUnspreadable(db, of.dataset_id, spreadOf(order))
    }
    if (assigned_by !== null) await refuseUnassignable(db, of.dataset_id, assigned_by)
    await storeRules(db, of.dataset_id, rules)
    return printed(rules)
  },
)

/**
 * Adopts queue settings from another server, inside another feature's command. Settings have no timestamp, so the incoming
 * settings replace the existing ones, unless the incoming settings are empty. Earlier versions of Postil don't send `shuffled`.
 * They always shuffle records if no order is set.
 */
export const adoptQueueSettings = async (db: Db, dataset_id: string, settings: QueueSettings): Promise<void> => {
  const rules = rulesOf({ ...settings, shuffled: settings.shuffled ?? true })
  const isChosen =
    isSearched(rules) || rules.max_per_person !== null || settings.shuffled === true || rules.others_answer_assigned
  if (isChosen) await storeRules(db, dataset_id, rules)
}
