import type { PrintedReviewSettings, ReviewSettings } from '@postil/contract/review.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type AutoGold, usernamesOf } from '#features/gold/public.ts'
import { datasetScope, type ScopeDataset } from '#features/records/public.ts'
import { heldView, refuseUnusable, viewAt, visibilityOf } from '#features/saved-views/public.ts'
import { questionRows } from '#features/schema/public.ts'
import { type Checks, checksOf, startRescoring } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { hasAgreement } from '#question-types/agreement.ts'
import { reviewPolicy } from './policy.ts'

export type InDataset = { readonly user: Actor; readonly dataset_id: string }

/** In these rules, `publish_gold_as` is a user ID. In the settings that clients send, it is a username. */
export type Rules = Required<Omit<ReviewSettings, 'auto' | 'checks'>> & {
  readonly needs: number | null
  readonly publish_gold_as: string | null
  readonly auto: AutoGold | null
  readonly checks: Checks | null
}
const defaults: Rules = {
  mode: 'off',
  sample: 0.1,
  below: {},
  needs: null,
  reviewers: [],
  own_answers: false,
  names: 'shown',
  publish_gold_as: null,
  auto: null,
  checks: null,
}

/** The review settings of a dataset. */
export const rulesOf = ({ review }: Pick<ScopeDataset, 'review'>): Rules => ({
  ...defaults,
  ...(review as Partial<Rules> | null),
  checks: checksOf({ review }),
})

/** Whether the user can review the dataset's records. */
export const canReview = (user: Actor, dataset: ScopeDataset): boolean =>
  reviewPolicy.review(user, { member: dataset.member, reviewers: rulesOf(dataset).reviewers })

/** Whether the user can review records that they have answered. */
export const mayReviewOwn = (user: Actor, dataset: ScopeDataset): boolean =>
  rulesOf(dataset).own_answers || reviewPolicy.reviewOwn(user, dataset)

/** The reviewers who still exist and still belong to the workspace. */
const reviewersOf = (db: Db, datasetId: string, ids: readonly string[]) =>
  db.sql
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .innerJoin('datasets', 'datasets.workspace_id', 'memberships.workspace_id')
    .select(['users.id', 'username'])
    .where('datasets.id', '=', datasetId)
    .where('users.id', 'in', [...ids])
    .orderBy('username')
    .execute()

const printedChecks = async (db: Db, datasetNo: number, checks: Checks): Promise<PrintedReviewSettings['checks']> => {
  const view = checks.view_id === null ? undefined : await viewAt(db, datasetNo, checks.view_id)
  return { ...checks, view_name: view?.name ?? null }
}

const printed = async (db: Db, user: Actor, dataset: ScopeDataset, rules: Rules): Promise<PrintedReviewSettings> => {
  const isListed = rules.reviewers.length > 0 && reviewPolicy.seeReviewers(user, dataset)
  const reviewers = isListed ? await reviewersOf(db, dataset.id, rules.reviewers) : []
  const { reviewers: ids, publish_gold_as: publisher, auto, checks, ...rest } = rules
  const isPublisherShown = publisher !== null && reviewPolicy.seeReviewers(user, dataset)
  const publish_gold_as = isPublisherShown ? ((await usernamesOf(db, [publisher])).get(publisher) ?? null) : null
  return {
    ...rest,
    reviewers,
    publish_gold_as,
    checks: checks !== null && reviewPolicy.seeChecks(user, dataset) ? await printedChecks(db, dataset.no, checks) : null,
    auto: { unanimous: auto?.unanimous ?? false, majority: auto?.majority ?? null },
    can_review: reviewPolicy.review(user, { member: dataset.member, reviewers: ids }),
  }
}

/** @throws Problem not_found, forbidden */
export const getSettings = query(
  'review.settings',
  async (db, { user, dataset_id }: InDataset): Promise<PrintedReviewSettings> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: false })
    if (!reviewPolicy.settings(user, dataset)) throw forbidden()
    return printed(db, user, dataset, rulesOf(dataset))
  },
)

const refuseUnknownQuestions = async (db: Db, datasetId: string, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  const questions = await questionRows(db, datasetId)
  for (const name of names) {
    const question = questions.find((one) => one.name === name)
    if (question === undefined) throw unprocessable(message('notInDataset', { part: 'Question', name }))
    if (!hasAgreement(question.settings)) throw unprocessable(message('noAgreement', { question: name }))
  }
}

/**
 * Returns the ID of the user in whose name final answers are published as answers. The user must be deactivated, so that nobody
 * can sign in as this user. The user must not have answers in the dataset, because they would be indistinguishable from final
 * answers.
 */
const publisherNamed = async (db: Db, datasetNo: number, username: string): Promise<string> => {
  const user = await db.sql
    .selectFrom('users')
    .select(['id', 'deactivated_at'])
    .where('username', '=', username)
    .executeTakeFirst()
  if (user === undefined) throw unprocessable(message('publisherUnknown', { username }))
  if (user.deactivated_at === null) throw unprocessable(message('publisherActive', { username }))
  const answer = await db.sql
    .selectFrom('responses')
    .select('id')
    .where('dataset_no', '=', datasetNo)
    .where('user_id', '=', user.id)
    .limit(1)
    .executeTakeFirst()
  if (answer !== undefined) throw unprocessable(message('publisherAnswered', { username }))
  return user.id
}

/** The rules for test items. */
const checksIn = ({ checks }: ReviewSettings): Checks | null => {
  if (checks == null) return null
  const { every, stop_below = null, tolerance, view_id = null } = checks
  return { every, stop_below, tolerance, view_id }
}

/**
 * Keeps a view from being deleted until the settings are stored. A view that is already in use can stay in use, even if the
 * caller can't see the view, or if the dataset no longer has a property that the view filters by. @throws Problem unprocessable,
 * validation
 */
const holdChosenView = async (db: Db, user: Actor, dataset: ScopeDataset, id: string): Promise<void> => {
  const view = await heldView(db, dataset.no, id)
  const isInUse = rulesOf(dataset).checks?.view_id === id
  if (view === undefined || !(isInUse || (await visibilityOf(db, dataset, user))(view)))
    throw unprocessable(message('viewUnknown', { id }))
  if (isInUse) return
  const author = await db.sql.selectFrom('users').select('role').where('id', '=', view.user_id).executeTakeFirst()
  if (author?.role === 'annotator') throw unprocessable(message('viewOfAnnotator', { name: view.name }))
  await refuseUnusable(db, dataset.id, view)
}

/** @throws Problem not_found, forbidden, unprocessable, validation */
export const setSettings = command(
  'review.set-settings',
  async (db, { user, dataset_id, body }: InDataset & { readonly body: ReviewSettings }): Promise<PrintedReviewSettings> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!reviewPolicy.setSettings(user, dataset)) throw forbidden()
    await refuseUnknownQuestions(db, dataset_id, Object.keys(body.below))
    const reviewers = [...new Set(body.reviewers)]
    if (reviewers.length > 0) {
      const known = new Set((await reviewersOf(db, dataset_id, reviewers)).map(({ id }) => id))
      const unknown = reviewers.find((id) => !known.has(id))
      if (unknown !== undefined) throw unprocessable(message('reviewerOutside', { id: unknown }))
    }
    const { needs = null, publish_gold_as: publisher = null, auto: wanted } = body
    const publish_gold_as = publisher === null ? null : await publisherNamed(db, dataset.no, publisher)
    const auto =
      wanted?.unanimous || wanted?.majority
        ? { unanimous: wanted.unanimous, majority: wanted.majority ?? null, by: user.id }
        : null
    const checks = checksIn(body)
    if (checks !== null && checks.view_id !== null) await holdChosenView(db, user, dataset, checks.view_id)
    if (checks !== null && checks.tolerance !== rulesOf(dataset).checks?.tolerance) await startRescoring(db, dataset.no, user.id)
    const rules: Rules = { ...body, needs, reviewers, publish_gold_as, auto, checks }
    await db.sql
      .updateTable('datasets')
      .set({ review: json(rules as unknown as JsonObject) })
      .where('id', '=', dataset_id)
      .execute()
    return printed(db, user, dataset, rules)
  },
)
