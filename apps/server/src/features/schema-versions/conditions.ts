import { conditionFault } from '@postil/contract/condition-rules.ts'
import { type Choice, type Condition, withChoices } from '@postil/contract/conditions.ts'
import type { RecordedChange } from '@postil/contract/schema-versions.ts'
import { conflict, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { StoredChange, StoredVersion } from '#features/datasets/public.ts'
import { type LabelList, type MetadataPropertyRow, type QuestionRow, settingsWith } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { now } from '#platform/time.ts'

export type ConditionChange = Extract<RecordedChange, { type: 'edit_condition' }>

const isConditionChange = (change: StoredChange): change is ConditionChange => change.type === 'edit_condition'

/** A question whose labels a plan changes. */
type Planned = { readonly question: QuestionRow; readonly labels: LabelList }
type Replace = (value: Choice) => readonly Choice[]
/** How the labels of a question change. */
type Replaced = { readonly name: string; readonly replace: Replace }

const replacedIn = (condition: Condition, questions: readonly Replaced[]): Condition =>
  questions.reduce((one, { name, replace }) => withChoices(one, name, replace), condition)

const changesBetween = (rows: readonly QuestionRow[], afterOf: (row: QuestionRow) => Condition | null): ConditionChange[] =>
  rows.flatMap((row) => {
    const after = afterOf(row)
    const isSame = after === row.shown_when || jsonEquals(after, row.shown_when)
    return isSame ? [] : [{ type: 'edit_condition' as const, question_id: row.id, before: row.shown_when, after }]
  })

/**
 * How a plan changes the labels in conditions. Labels get their new values. If a label is split, its new labels are added and the
 * label itself stays, because stored answers contain it.
 */
const replaceIn = ({ question, labels }: Planned): Replaced => {
  const moved = labels.moved()
  const before = new Set(labels.settings.split?.map(({ from }) => from))
  const { split } = settingsWith(labels.settings, labels.after())
  const added = new Map(split?.filter(({ from }) => !before.has(from)).map(({ from, into }) => [from, into]))
  return {
    name: question.name,
    replace: (value) => {
      const current = typeof value === 'string' ? (moved.get(value) ?? value) : value
      return [current, ...(typeof current === 'string' ? (added.get(current) ?? []) : [])]
    },
  }
}

/**
 * Returns the changes to conditions that refer to labels that a plan changes. Each of them contains the old and the new
 * condition.
 */
export const planConditions = (rows: readonly QuestionRow[], planned: readonly Planned[]): ConditionChange[] => {
  const replaced = planned.map(replaceIn)
  return changesBetween(rows, ({ shown_when }) => shown_when && replacedIn(shown_when, replaced))
}

export const storeConditions = async (db: Db, changes: readonly ConditionChange[]): Promise<void> => {
  for (const { question_id, after } of changes)
    await db.sql
      .updateTable('questions')
      .set({ shown_when: after && json(after), updated_at: now() })
      .where('id', '=', question_id)
      .execute()
}

type Renamed = { readonly question: QuestionRow; readonly renamed: { readonly [label: string]: string } }

/**
 * Returns the condition changes that revert a version. If the version changed labels, a condition that has changed since then
 * keeps its rules, and only the labels in the rules are changed back.
 * @param renamed the questions whose labels are reverted
 * @throws Problem conflict, unprocessable
 */
export const revertedConditions = (
  { no, changes, snapshot }: Pick<StoredVersion, 'no' | 'changes' | 'snapshot'>,
  { rows, properties }: { readonly rows: readonly QuestionRow[]; readonly properties: readonly MetadataPropertyRow[] },
  renamed: readonly Renamed[],
): ConditionChange[] => {
  const edits = changes.filter(isConditionChange)
  const replaced = renamed.map(({ question, renamed: labels }) => {
    const earlier = new Map(Object.entries(labels).map(([before, label]) => [label, before]))
    return { name: question.name, replace: (value: Choice) => [earlier.get(String(value)) ?? value] }
  })
  const reverted = changesBetween(rows, ({ id, shown_when }) => {
    const edit = edits.find(({ question_id }) => question_id === id)
    if (edit !== undefined && jsonEquals(edit.after, shown_when)) return edit.before
    if (edit !== undefined && snapshot.length === 0) throw conflict(message('versionMoved', { no }))
    return shown_when && replacedIn(shown_when, replaced)
  })
  for (const { question_id, after } of reverted.filter(({ after: one }) => snapshot.length === 0 && one !== null)) {
    const place = rows.findIndex(({ id }) => id === question_id)
    const name = rows[place]?.name ?? ''
    const others = rows.map((row) => row.name)
    const fault = after && conditionFault(name, after, { earlier: rows.slice(0, place), others, properties })
    if (fault) throw unprocessable(fault)
  }
  return reverted
}

/** Whether the questions still have the conditions that this version set. Always true for versions that changed labels. */
export const hasCurrentConditions = (
  { changes, snapshot }: Pick<StoredVersion, 'changes' | 'snapshot'>,
  rows: readonly QuestionRow[],
): boolean =>
  snapshot.length > 0 ||
  changes.every(
    (change) =>
      !isConditionChange(change) ||
      jsonEquals(change.after, rows.find(({ id }) => id === change.question_id)?.shown_when ?? null),
  )
