import { notFound } from '@postil/contract/wire/errors.ts'
import { maxQueueRecords } from '@postil/contract/wire/limits.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { together } from '#platform/db/statements/together.ts'
import type { Micros } from '#platform/time.ts'
import { type Grant, grant, lockOffered } from './grants.ts'
import { removeStale } from './leased.ts'
import { clockOf, type InDataset, queueDataset, seqsOf } from './scope.ts'
import { capOf, submittedOf } from './settings.ts'

type TakeArgs = InDataset & {
  /** What `queue.find` has found: in the user's hand, and the next ones, of which some are wanted. */
  readonly own: readonly number[]
  readonly next: readonly number[]
  readonly wanted: number
  /** How long to hand out for, in microseconds. */
  readonly lease: number
}

type Person = { readonly datasetNo: number; readonly userId: string }

/**
 * The dataset, for a person who may do that in it and is held until the command ends: who takes them out of the workspace waits for it, and gives back
 * what they got.
 * @param hold `forUpdate`: also who asks for the same person waits, so that two of their windows together do not get more than one person may have
 * @throws Problem not_found, also for who was deleted or deactivated: nobody would give back what they get; forbidden
 */
const datasetWithPerson = async (db: Db, of: InDataset, action: 'take' | 'renew', hold: 'forUpdate' | 'forShare') => {
  const { id } = of.user
  const person = db.sql.selectFrom('users').select('id').where('id', '=', id).where('deactivated_at', 'is', null)
  const [dataset, found] = await together([
    queueDataset(db, of, action, { hold: true }),
    db.dialect[hold](person).executeTakeFirst(),
    // NOTE: who had to wait for the person may find them taken out
    queueDataset(db, of, action, { hold: false }),
  ])
  if (found === undefined) throw notFound('User', id)
  return dataset
}

/** How many more records the person may have in hand. @param cap what one person may submit, null for any number */
const roomOf = async (db: Db, { datasetNo, userId }: Person, cap: number | null): Promise<number> => {
  const [submitted, { held }] = await together([
    cap === null ? 0 : submittedOf(db, datasetNo, userId),
    db.sql
      .selectFrom('leases')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('dataset_no', '=', datasetNo)
      .where('user_id', '=', userId)
      .where('until', '>', db.dialect.now)
      .executeTakeFirstOrThrow(),
  ])
  const inHand = Number(held)
  return Math.max(0, Math.min(maxQueueRecords - inHand, (cap ?? Number.POSITIVE_INFINITY) - submitted - inHand))
}

/**
 * Leaves in the user's hand what is there, and hands out of the next records as many as are wanted: none of which as many answers
 * are there or in others' hands as complete it. @throws Problem not_found, forbidden
 */
export const takeRecords = command(
  'queue.take',
  async (db, { user, own, next, wanted, lease, ...of }: TakeArgs): Promise<readonly Grant[]> => {
    // NOTE: the steps that wait for others come first: the person, then records in the order in which everybody locks them
    const dataset = await datasetWithPerson(db, { user, ...of }, 'take', 'forUpdate')
    const place = { datasetNo: dataset.no, userId: user.id, minSubmitted: dataset.min_submitted }
    const granted: Grant[] = []
    const cap = capOf(dataset)
    if (own.length > 0) {
      const { at, offered } = await lockOffered(db, place, own, { wait: true })
      const kept = own.filter((seq) => {
        const record = offered.get(seq)
        return record?.lease === 'live' || record?.free === true
      })
      granted.push(...(await grant(db, place, kept, at + lease)))
    }
    // NOTE: after what was in hand is again, which takes its room
    let missing = next.length === 0 ? 0 : Math.min(wanted, await roomOf(db, place, cap))
    for (let from = 0; missing > 0 && from < next.length; ) {
      const some = next.slice(from, from + missing)
      from += some.length
      const { at, offered } = await lockOffered(db, place, some, { wait: false })
      const free = some.filter((seq) => offered.get(seq)?.free)
      granted.push(...(await grant(db, place, free, at + lease)))
      missing -= free.length
    }
    return granted
  },
)

type RenewArgs = InDataset & { readonly record_ids: readonly string[]; readonly lease: number }
export type Renewed = { readonly record_id: string; readonly until: Micros | null }

/**
 * Keeps records in the user's hand, also those whose time was over and whose place nobody took. What is lost, by an answer or
 * because somebody else took it, has no `until`. @throws Problem not_found, forbidden
 */
export const renewLeases = command(
  'queue.renew',
  async (db, { user, record_ids, lease, ...of }: RenewArgs): Promise<readonly Renewed[]> => {
    const dataset = await datasetWithPerson(db, { user, ...of }, 'renew', 'forShare')
    const place = { datasetNo: dataset.no, userId: user.id, minSubmitted: dataset.min_submitted }
    const seqs = await seqsOf(db, dataset.no, record_ids)
    if (seqs.size === 0) return record_ids.map((record_id) => ({ record_id, until: null }))
    const { at, offered } = await lockOffered(db, place, [...seqs.values()], { wait: true })
    const kept = [...offered.values()].filter(({ lease: own, free }) => own === 'live' || (own === 'over' && free))
    const granted = await grant(
      db,
      place,
      kept.map(({ seq }) => seq),
      at + lease,
    )
    const untils = new Map(granted.map(({ seq, until }) => [seq, until]))
    return record_ids.map((record_id) => ({ record_id, until: untils.get(seqs.get(record_id) ?? -1) ?? null }))
  },
)

type GiveBackArgs = InDataset & { readonly ids: string | null }

/** Others may have at once what the user gives back. @param ids null: all. @throws Problem not_found, forbidden, unprocessable */
export const giveBackLeases = command('queue.give-back', async (db, { user, ids, ...of }: GiveBackArgs): Promise<void> => {
  const dataset = await queueDataset(db, { user, ...of }, 'giveBack', { hold: false })
  let given = db.sql.deleteFrom('leases').where('dataset_no', '=', dataset.no).where('user_id', '=', user.id)
  if (ids !== null) {
    const seqs = await seqsOf(db, dataset.no, parseIds(ids))
    given = given.where('seq', 'in', db.dialect.listed([...seqs.values()]))
  }
  await given.execute()
})

/** Others may have at once what a user has in hand in a dataset, for whoever is allowed to end what the user does. */
export const giveBackOf = command(
  'queue.give-back-of',
  async (db, { user_id, dataset_no }: { readonly user_id: string; readonly dataset_no: number }): Promise<void> => {
    await db.sql.deleteFrom('leases').where('dataset_no', '=', dataset_no).where('user_id', '=', user_id).execute()
  },
  { before: true },
)

/** Forgets leases that were over long ago. @throws Problem not_found, forbidden */
export const forgetLeases = command('queue.forget', async (db, of: InDataset): Promise<void> => {
  const dataset = await queueDataset(db, of, 'take', { hold: false })
  await removeStale(db, dataset.no, await clockOf(db))
})
