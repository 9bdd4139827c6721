import { sql } from 'kysely'
import type { Sql } from './db.ts'
import type { Migration, SchemaDialect } from './migration.ts'
import { foundations } from './migrations/0001-foundations.ts'
import { search } from './migrations/0002-search.ts'
import { textVersion } from './migrations/0003-text-version.ts'
import { webhookDeliveries } from './migrations/0004-webhook-deliveries.ts'
import { deactivatedUsers } from './migrations/0005-deactivated-users.ts'
import { queue } from './migrations/0006-queue.ts'
import { imports } from './migrations/0007-imports.ts'
import { sealedJobs } from './migrations/0008-sealed-jobs.ts'
import { oauthIdentities } from './migrations/0009-oauth-identities.ts'
import { viewsAndColours } from './migrations/0010-views-and-colours.ts'
import { queueSettings } from './migrations/0012-queue-settings.ts'
import { audit } from './migrations/0013-audit.ts'
import { bulkAnswers } from './migrations/0015-bulk-answers.ts'
import { uploads } from './migrations/0018-uploads.ts'
import { sessionAgents } from './migrations/0020-session-agents.ts'
import { secondFactors } from './migrations/0021-second-factors.ts'
import { vectorBlocks } from './migrations/0022-vector-blocks.ts'
import { twoFactors } from './migrations/0023-two-factors.ts'
import { auditReplaced } from './migrations/0024-audit-replaced.ts'
import { failedSignIns } from './migrations/0025-failed-sign-ins.ts'
import { failedSignInsByClock } from './migrations/0026-failed-sign-ins-by-clock.ts'
import { textDue } from './migrations/0027-text-due.ts'
import { jobReasonParts } from './migrations/0028-job-reason-parts.ts'
import { namesOfJobs } from './migrations/0029-names-of-jobs.ts'
import { suggestionOutcomes } from './migrations/0030-suggestion-outcomes.ts'
import { accountLinks } from './migrations/0031-account-links.ts'
import { userActivity } from './migrations/0032-user-activity.ts'
import { partlyAnsweredInOrder } from './migrations/0033-partly-answered-in-order.ts'
import { signIns } from './migrations/0034-sign-ins.ts'
import { invitedUsers } from './migrations/0035-invited-users.ts'
import { ignoredAccents } from './migrations/0036-ignored-accents.ts'
import { recordAgreement } from './migrations/0037-record-agreement.ts'
import { assignments } from './migrations/0038-assignments.ts'
import { recordDeletions } from './migrations/0039-record-deletions.ts'
import { activeTime } from './migrations/0040-active-time.ts'
import { review } from './migrations/0041-review.ts'
import { returnedAnswers } from './migrations/0042-returned-answers.ts'
import { schemaVersions } from './migrations/0043-schema-versions.ts'
import { comments } from './migrations/0044-comments.ts'
import { testItems } from './migrations/0045-test-items.ts'
import { seenVersions } from './migrations/0047-seen-versions.ts'
import { modelConnections } from './migrations/0049-model-connections.ts'
import { modelRuns } from './migrations/0050-model-runs.ts'
import { testLooks } from './migrations/0051-test-looks.ts'
import { extraAnswers } from './migrations/0052-extra-answers.ts'
import { agents } from './migrations/0054-agents.ts'
import { suggestionVisibility } from './migrations/0055-suggestion-visibility.ts'
import { recordChanges } from './migrations/0057-record-changes.ts'
import { conditions } from './migrations/0058-conditions.ts'
import { snapshots } from './migrations/0060-snapshots.ts'
import { shownOrder } from './migrations/0062-shown-order.ts'
import { outboxByDataset } from './migrations/0063-outbox-by-dataset.ts'
import { StoreError } from './store.ts'

/** All migrations, in order of application. A released name must never change. */
export const migrations: readonly Migration[] = [
  foundations,
  search,
  textVersion,
  webhookDeliveries,
  deactivatedUsers,
  queue,
  imports,
  sealedJobs,
  oauthIdentities,
  viewsAndColours,
  queueSettings,
  audit,
  bulkAnswers,
  uploads,
  sessionAgents,
  secondFactors,
  vectorBlocks,
  twoFactors,
  auditReplaced,
  failedSignIns,
  failedSignInsByClock,
  textDue,
  jobReasonParts,
  namesOfJobs,
  suggestionOutcomes,
  accountLinks,
  userActivity,
  partlyAnsweredInOrder,
  signIns,
  invitedUsers,
  ignoredAccents,
  recordAgreement,
  assignments,
  recordDeletions,
  activeTime,
  review,
  returnedAnswers,
  schemaVersions,
  comments,
  testItems,
  seenVersions,
  modelConnections,
  modelRuns,
  testLooks,
  extraAnswers,
  agents,
  suggestionVisibility,
  recordChanges,
  conditions,
  snapshots,
  shownOrder,
  outboxByDataset,
]

const print = (statement: string, dialect: SchemaDialect): string =>
  statement.replace(/\{(\w+)\}/g, (_, key: string) => {
    const type = dialect.types[key as keyof SchemaDialect['types']]
    if (type === undefined) throw new Error(`unknown type {${key}} in a migration`)
    return type
  })

/** Names of the migrations applied to the store. */
export const appliedMigrations = async (db: Sql): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(db)
  return rows.map((row) => row.name)
}

/** A pending schema upgrade. `from` is the last applied migration. `to` is the last migration to apply. */
export type Upgrade = { readonly from: string; readonly to: string }
export type Migrating = {
  /** The last migration to apply; the newest by default. */
  readonly upTo?: string | undefined
  /** Called before the schema of an existing store is changed. The change may take a while. */
  readonly onUpgrade?: ((upgrade: Upgrade) => void) | undefined
}

/** Upgrades the schema inside the caller's transaction. Rejects a store from a newer Postil version with a `StoreError`. */
export const migrate = async (
  db: Sql,
  dialect: SchemaDialect,
  { upTo, onUpgrade }: Migrating = {},
): Promise<readonly string[]> => {
  await sql
    .raw(print('CREATE TABLE IF NOT EXISTS migrations (name {text} PRIMARY KEY, at {time} NOT NULL) {table}', dialect))
    .execute(db)
  const applied = new Set(await appliedMigrations(db))
  const known = new Set(migrations.map((migration) => migration.name))
  const newer = [...applied].filter((name) => !known.has(name))
  if (newer.length > 0) {
    throw new StoreError(
      `This database was migrated by a newer version of Postil (${newer.join(', ')}). Start that version, or restore a backup made before the upgrade.`,
    )
  }
  const pending = migrations.filter(({ name }) => !applied.has(name) && (upTo === undefined || name <= upTo))
  const [from, to] = [[...applied].at(-1), pending.at(-1)?.name]
  if (from !== undefined && to !== undefined) onUpgrade?.({ from, to })
  for (const migration of pending) {
    for (const statement of [...migration.statements, ...migration.only[dialect.engine]]) {
      await sql.raw(print(statement, dialect)).execute(db)
    }
    await sql`INSERT INTO migrations (name, at) VALUES (${migration.name}, ${Date.now() * 1000})`.execute(db)
  }
  return pending.map(({ name }) => name)
}
