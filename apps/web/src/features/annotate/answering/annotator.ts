import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { Drafts } from '#lib/drafts/drafts.ts'
import type { Confirmation, MutationInput, Outbox } from '#lib/outbox/outbox.ts'
import type { AnswerStatus, Change, Mutation, ServerAnswer } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { createAnswerShift } from '../progress/answer-shift.ts'
import type { Queue } from '../queue/list-queue.ts'
import type { QueueItem } from '../queue/queue-item.ts'
import { answersFromDraft, answersFromValues, missing, suggestedAnswers, valuesToSend, withOwnAnswers } from './answers.ts'
import { createOrigins } from './edit-origins.ts'
import type { Form } from './form.ts'
import { createForm } from './form.ts'

/** What one action did to one record, for undo. */
type AnswerAction = {
  readonly item: QueueItem
  readonly before: Change
  readonly answers: Answers /** The undo depth of the form at that time. */
  readonly depth: number
}
type SaveChange = Extract<Change, { readonly kind: 'save' }>
/** What one action did to one or more records. */
type AnswerActions = readonly AnswerAction[]

export type Annotator = ReturnType<typeof createAnnotator>

type Options = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly outbox: Outbox
  readonly drafts: Drafts
  /** Called after an action or its undo, for notices and announcements. */
  readonly onAction: (action: AnswerStatus | 'removed' | 'undone' | 'dropped', recordIds: readonly string[]) => void
}

const maxUndoSteps = 20

/** Answers records: holds forms whose edits are never lost, the actions on them, and undo. */
export const createAnnotator = ({ datasetId, questions, outbox, drafts, onAction }: Options) => {
  const forms = new Map<string, Form>()
  let queue: Queue | null = null
  let actions: readonly AnswerActions[] = []
  const shift = createAnswerShift({ datasetId, lines: () => outbox.snapshot().lines, find: (id) => queue?.find(id) })

  /** The last change to an answer that the server hasn't confirmed. */
  const lastEntry = (recordId: string): Mutation | null => outbox.snapshot().lines.get(recordId)?.entries.at(-1) ?? null
  const unsentChange = (recordId: string): Change | null => lastEntry(recordId)?.change ?? null
  const origins = createOrigins(lastEntry)

  const currentChange = ({ record, serverAnswer }: QueueItem): Change => {
    const change = unsentChange(record.id)
    if (change) return change
    return serverAnswer ? { kind: 'save', status: serverAnswer.status, values: serverAnswer.values } : { kind: 'remove' }
  }

  const statusOf = (item: QueueItem): RecordFilterStatus => {
    // A rejected answer does not count: its record is open again.
    const isRefused = outbox.snapshot().lines.get(item.record.id)?.trouble?.kind === 'refused'
    if (isRefused) return item.serverAnswer?.status ?? 'pending'
    const change = currentChange(item)
    return change.kind === 'save' ? change.status : 'pending'
  }

  const answersOf = (item: QueueItem): Answers => {
    const change = currentChange(item)
    return change.kind === 'save' ? answersFromValues(questions, change.values) : suggestedAnswers(questions, item.record)
  }

  /** The draft store keeps edits in memory immediately. If the device can't store them, the outbox reports that. */
  const storeEdits = (recordId: string, answers: Answers | null): void => {
    const base_version = origins.ofEdits(recordId, queue?.find(recordId)?.serverAnswer?.version ?? null)
    const write = answers ? drafts.put(recordId, { answers, base_version }) : drafts.drop(recordId)
    write.catch(() => undefined)
  }

  const formOf = (item: QueueItem): Form => {
    const { id } = item.record
    const known = forms.get(id)
    if (known) return known
    const draft = drafts.get(id)
    const form = createForm({
      questions,
      base: answersOf(item),
      edits: draft ? answersFromDraft(questions, draft.answers) : null,
      onEdits: (answers) => storeEdits(id, answers),
    })
    origins.open(id, draft, item.serverAnswer?.version ?? null)
    forms.set(id, form)
    return form
  }

  const current = (): QueueItem | null => queue?.snapshot().item ?? null

  const serverAnswerOf = (item: QueueItem): ServerAnswer | null => (queue?.find(item.record.id) ?? item).serverAnswer

  const mutationFor = (item: QueueItem, requested: Change): MutationInput => {
    const { id } = item.record
    return { datasetId, recordId: id, base: origins.ofAnswer(id, serverAnswerOf(item)?.version ?? null), change: requested }
  }

  const send = (...requested: readonly MutationInput[]): void => {
    void outbox.save(...requested.map((one) => ({ ...one, ended: drafts.end(one.recordId) })))
    for (const { recordId } of requested) origins.given(recordId)
  }
  const change = (item: QueueItem, requested: Change): void => send(mutationFor(item, requested))

  const remember = (...group: AnswerActions): void => {
    actions = [...actions, group].slice(-maxUndoSteps)
  }

  const save = (status: AnswerStatus): boolean => {
    const item = current()
    if (!item) return false
    const form = formOf(item)
    const { answers } = form.snapshot()
    if (status === 'submitted' && missing(questions, answers).length > 0) return false
    remember({ item, before: currentChange(item), answers, depth: form.snapshot().depth })
    change(item, { kind: 'save', status, values: valuesToSend(questions, answers) })
    form.rebase(answersFromValues(questions, valuesToSend(questions, answers)))
    onAction(status, [item.record.id])
    return true
  }

  const restoreItem = ({ item, before, answers }: AnswerAction): void => {
    const { record } = item
    const base = before.kind === 'save' ? answersFromValues(questions, before.values) : suggestedAnswers(questions, record)
    formOf(queue?.find(record.id) ?? item).replace(base, answers)
    queue?.insertAndShow(record)
  }

  /** Undoes the last action. Records are brought back in reverse order, so that the first of them is shown last. */
  const undoAction = (): boolean => {
    const last = actions.at(-1)
    if (!last) return false
    actions = actions.slice(0, -1)
    send(...last.map(({ item, before }) => mutationFor(item, before)))
    for (const action of last.toReversed()) restoreItem(action)
    onAction(
      'undone',
      last.map(({ item }) => item.record.id),
    )
    return true
  }

  const saveActionFor = (
    item: QueueItem,
    status: AnswerStatus,
    common: Answers,
  ): { readonly action: AnswerAction; readonly change: SaveChange } => {
    const { answers, depth } = formOf(item).snapshot()
    const values = valuesToSend(questions, withOwnAnswers(questions, common, answers))
    return { action: { item, before: currentChange(item), answers, depth }, change: { kind: 'save', status, values } }
  }

  return {
    statusOf,
    formOf,
    /** Whether a record has unsent edits, perhaps from an earlier visit. */
    isEdited: (recordId: string): boolean => forms.get(recordId)?.snapshot().isEdited ?? drafts.get(recordId) !== null,
    /** Sets the list that is on the screen. */
    show: (shown: Queue | null): void => {
      queue = shown
    },
    /** Returns false while required questions are unanswered. */
    submit: (): boolean => {
      if (!save('submitted')) return false
      void queue?.advance()
      return true
    },
    discard: (): boolean => {
      const item = current()
      if (!item || statusOf(item) === 'discarded' || !save('discarded')) return false
      void queue?.advance()
      return true
    },
    saveDraft: (): boolean => save('draft'),
    /** Gives many records the same answers. Answers in a record's own text stay unchanged. */
    saveAll: (items: readonly QueueItem[], status: AnswerStatus, common: Answers): void => {
      const all = items.map((item) => saveActionFor(item, status, common))
      remember(...all.map(({ action }) => action))
      send(...all.map(({ action, change: requested }) => mutationFor(action.item, requested)))
      for (const { action, change: requested } of all) formOf(action.item).replace(answersFromValues(questions, requested.values))
      onAction(
        status,
        items.map((item) => item.record.id),
      )
      void queue?.refill()
    },
    /** Empties the form. A submitted answer is deleted and the record is pending again. */
    clear: (): void => {
      const item = current()
      if (!item) return
      const form = formOf(item)
      const before = currentChange(item)
      const { answers } = form.snapshot()
      form.clear()
      if (before.kind !== 'save') return
      remember({ item, before, answers, depth: form.snapshot().depth })
      change(item, { kind: 'remove' })
      form.rebase({})
      onAction('removed', [item.record.id])
    },
    /** Restores an earlier answer of a record. */
    restore: (
      { id }: { readonly id: string },
      { status, values }: { readonly status: AnswerStatus; readonly values: AnswerValues },
    ): void => {
      const item = queue?.find(id)
      if (!item) return
      const { answers, depth } = formOf(item).snapshot()
      remember({ item, before: currentChange(item), answers, depth })
      change(item, { kind: 'save', status, values })
      formOf(item).replace(answersFromValues(questions, values))
      onAction(status, [id])
    },
    /** Updates a record that changed on the server. The annotator's own answer and edits are kept. */
    recordChanged: ({ id, fields, metadata, updated_at }: AnnotationRecord): void => {
      const item = queue?.find(id)
      if (item) queue?.update({ ...item.record, fields, metadata, updated_at })
    },
    /** Undoes the last step in the form or, if there is none, the last action: its record returns with the answer it had. */
    undo: (): boolean => {
      const item = current()
      const last = actions.at(-1)?.find((action) => action.item.record.id === item?.record.id)
      const form = item && formOf(item)
      const isOlder = form && (!last || form.snapshot().depth > last.depth)
      return (isOlder && form.undo()) || undoAction()
    },
    /** Undoes the last action on one or more records, even if a form has been edited since. */
    undoAction,
    redo: (): boolean => {
      const item = current()
      return item !== null && formOf(item).redo()
    },
    discardEdits: (): void => {
      const item = current()
      if (item) formOf(item).discardEdits()
    },
    /**
     * The difference between the server's counts of the user's answers, loaded at a given time, and the state on this device.
     */
    shiftSince: shift.since,
    /** Handles an answer that the server has confirmed, perhaps from another tab. */
    confirmed: ({ recordId, standing: serverAnswer, isOwn }: Confirmation): void => {
      const before = queue?.find(recordId)
      if (before) shift.confirmed(before, serverAnswer)
      queue?.confirm(recordId, serverAnswer)
      const item = queue?.find(recordId)
      const form = forms.get(recordId)
      if (!before || !item || !form || unsentChange(recordId)) return
      if (isOwn) form.rebase(answersOf(item))
      else if (!form.snapshot().isEdited) form.replace(answersOf(item))
      else origins.overtaken(recordId, drafts.get(recordId), before.serverAnswer?.version ?? null)
    },
    /** Handles a discarded answer: removes its record from all actions, so that undo skips it. */
    givenUp: (recordId: string): void => {
      actions = actions.map((group) => group.filter(({ item }) => item.record.id !== recordId)).filter(({ length }) => length > 0)
      onAction('dropped', [recordId])
    },
    /** Settles a conflict in favor of the answer on the server. */
    takeTheirs: async (item: QueueItem, serverAnswer: ServerAnswer | null): Promise<void> => {
      await outbox.discard(item.record.id)
      queue?.confirm(item.record.id, serverAnswer)
      await drafts.drop(item.record.id)
      forms.get(item.record.id)?.replace(answersOf({ ...item, serverAnswer }))
    },
    /** Discards a rejected answer and its edits. If the record no longer exists, removes it from the list. */
    giveUp: async (item: QueueItem): Promise<void> => {
      const { id } = item.record
      const trouble = outbox.snapshot().lines.get(id)?.trouble
      await outbox.discard(id)
      await drafts.drop(id)
      forms.get(id)?.replace(answersOf(item))
      if (trouble?.kind === 'refused' && trouble.status === 404) queue?.remove(id)
    },
  }
}
