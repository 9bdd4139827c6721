/*
 * The few statements that involve many datasets. A cluster queries all nodes and merges the results, so such statements are only
 * for rare operations and for lists that show many datasets anyway. None of them locks or changes rows.
 */

type AllShardsQuery = {
  /** Why the statement can't be limited to one dataset. */
  readonly why: string
  /** `?` stands for a parameter or a list of parameters. */
  readonly sql: readonly string[]
}

/**
 * Returns one query per table. It finds the first dataset for which the table has a row with a given ID. The query joins the
 * table with `datasets`, which is small and has a copy on every node.
 */
const firstWith = (column: 'id' | 'user_id', tables: readonly string[]): readonly string[] =>
  tables.map(
    (table) =>
      `select datasets.no from datasets cross join "${table}" as one where one.dataset_no = datasets.no and one.${column} = ? and datasets.gone_at is null order by datasets.no limit 1`,
  )
const leasesQuery =
  'select distinct "datasets"."no" from "leases" inner join "datasets" on "datasets"."no" = "leases"."dataset_no" where "leases"."user_id" = ? and "gone_at" is null'

const deliveryColumns =
  '"id", "event", "at", "state", "attempts", "available_at", "attempted_at", "http_status", "duration_ms", "error"'

export const queriesAllShards: readonly AllShardsQuery[] = [
  {
    why: 'an ID from another server does not contain the dataset',
    sql: firstWith('id', ['records', 'responses', 'suggestions']),
  },
  {
    why: 'a user who is deleted, removed or deactivated may have data in many datasets',
    sql: [
      ...firstWith('user_id', [
        'responses',
        'user_counts',
        'dataset_users',
        'leases',
        'assignments',
        'test_items',
        'test_people',
        'seen_versions',
      ]),
      `${leasesQuery} order by "no"`,
      `${leasesQuery} and "workspace_id" = ? order by "no"`,
    ],
  },
  {
    why: 'lists and the home page show the progress of many datasets',
    sql: [
      'select "dataset_no", max("last_activity_at") as "at" from "dataset_activity" where "dataset_no" in (?) group by "dataset_no"',
      'select "dataset_no", "kind", sum("n") as "n" from "dataset_counts" where "dataset_no" in (?) group by "dataset_no", "kind"',
      'select "dataset_no" from "dataset_state" where "dataset_no" in (?) and "assignments_version" > ?',
      'select distinct "dataset_no" from "test_items" where "dataset_no" in (?) and "user_id" = ?',
      'select "dataset_no", "record_status", "response_status", "n" from "user_counts" where "dataset_no" in (?) and "user_id" = ?',
      'select "dataset_no", sum("n") as "n" from "user_counts" where "dataset_no" in (?) and "record_status" = ? and "response_status" = ? group by "dataset_no"',
      'select * from (select "dataset_no", "username", row_number() over (partition by dataset_no order by answers desc, user_id) as "place", count(*) over (partition by dataset_no) as "total" from (select "dataset_no", "user_id", sum("n") as "answers" from "user_counts" where "dataset_no" in (?) and "n" > ? group by "dataset_no", "user_id") as "counts" inner join "users" on "users"."id" = "counts"."user_id") as "people" where "place" <= ? order by "dataset_no", "place"',
    ],
  },
  {
    why: 'a webhook has events of all datasets',
    sql: [
      'select "id" from "outbox" where "webhook_id" in (?) and "state" in (?) and "available_at" <= ? limit ?',
      'select "dataset_no", "id" from "outbox" where "webhook_id" = ? and "state" = ? and "available_at" <= ? and exists (select "older"."no" from "outbox" as "older" where "older"."dataset_no" = "outbox"."dataset_no" and "older"."webhook_id" = ? and "older"."subject_id" = "outbox"."subject_id" and "older"."state" in (?) and "older"."no" < "outbox"."no") = ? order by "available_at", "no" limit ?',
      `select ${deliveryColumns} from "outbox" where "webhook_id" = ? order by "no" desc limit ?`,
      `select ${deliveryColumns} from "outbox" where "webhook_id" = ? and "state" = ? order by "no" desc limit ?`,
      'select "dataset_no" from "outbox" where "id" = ? and "webhook_id" = ?',
      'select "webhook_id" from "outbox" order by "webhook_id" limit ?',
      'select "webhook_id" from "outbox" where "webhook_id" > ? order by "webhook_id" limit ?',
      'select "no" from "outbox" where "webhook_id" = ? and "state" in (?) order by "no" desc limit ? offset ?',
      'select "dataset_no", "id" from "outbox" where "webhook_id" = ? order by "no" limit ?',
      'select "dataset_no", "id" from "outbox" where "webhook_id" = ? and "state" in (?) and "no" <= ? order by "no" limit ?',
    ],
  },
  {
    why: 'a starting server needs the latest time in the store, and the unfinished text indexes and agreements',
    sql: [
      'select max("last_activity_at") as "at" from "datasets" inner join "dataset_activity" on "dataset_activity"."dataset_no" = "datasets"."no"',
      'select max("records"."inserted_at") as "at" from "dataset_state" inner join "records" on "records"."dataset_no" = "dataset_state"."dataset_no" where "records"."seq" = (select max("all"."seq") as "seq" from "records" as "all" where "all"."dataset_no" = "dataset_state"."dataset_no")',
      'select "dataset_no" from "dataset_state" inner join "datasets" on "datasets"."no" = "dataset_state"."dataset_no" where ("text_rebuilt_to" is not null or "text_version" != ?) and "gone_at" is null order by "dataset_no"',
      'select "dataset_no" from "dataset_state" inner join "datasets" on "datasets"."no" = "dataset_state"."dataset_no" where "agreement_filled_to" is not null and "gone_at" is null order by "dataset_no"',
    ],
  },
  {
    why: '`postil doctor` and the metrics cover the whole store',
    sql: [
      'select "datasets"."id", "datasets"."no", "datasets"."name", "datasets"."workspace_id", "text_version", "text_rebuilt_to" from "datasets" inner join "dataset_state" on "dataset_state"."dataset_no" = "datasets"."no" where "gone_at" is null order by "no"',
      'select count(*) as "n", min("at") as "oldest" from "outbox" where "webhook_id" in (?) and "state" in (?)',
      'select count(*) as "n" from "outbox" where "webhook_id" in (?) and "state" = ? and "event" != ?',
      'select sum("n") as "n" from "dataset_counts" inner join "datasets" on "datasets"."no" = "dataset_counts"."dataset_no" where "kind" in (?) and "gone_at" is null',
    ],
  },
]

const plain = (sql: string): string =>
  sql
    .replaceAll(/\$\d+/g, '?')
    .replaceAll(/\(\?(, \?)+\)/g, '(?)')
    .replaceAll(/\s+/g, ' ')
    .trim()
const known = new Set(queriesAllShards.flatMap(({ sql }) => sql))

export const isAllShardsQuery = (sql: string): boolean => known.has(plain(sql))
