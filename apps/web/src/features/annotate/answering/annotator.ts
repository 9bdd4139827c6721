import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { answerSizeFault } from '@postil/contract/answer-size.ts'
import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { Drafts } from '#lib/drafts/drafts.ts'
import type { Confirmation, MutationInput, Outbox } from '#lib/outbox/outbox.ts'
import { activeMsIn } from '#lib/outbox/outbox-line.ts'
import type { AnswerStatus, Change, ServerAnswer } from '#lib/outbox/types.ts'
import type { Shift } from '../progress/answer-shift.ts'
import { createAnswerShift } from '../progress/answer-shift.ts'
import type { ListItem } from '../queue/list-item.ts'
import type { RecordList } from '../queue/record-list.ts'
import type { ActiveTime } from './active-time.ts'
import { answersFromValues, missing, outcomesToSend, shownTo, valuesToSend } from './answers.ts'
import { CurrentAnswers } from './current-answers.ts'
import type { Form } from './form.ts'
import { RecordForms } from './record-forms.ts'
import { shownQuestions } from './shown-questions.ts'

/** What the user did, for notices and announcements. */
export type AnswerActionKind = AnswerStatus | 'removed' | 'undone' | 'dropped'
export type OnAction = (action: AnswerActionKind, recordIds: readonly string[]) => void

/** Sizes are in bytes. */
export type OnTooLarge = (size: number, limit: number) => void

/** What one action did to one record, for undo. */
type AnswerAction = {
  readonly item: ListItem
  readonly before: Change
  readonly answers: Answers
  /** The form's undo depth at the time of the action. */
  readonly depth: number
}
/** What one action did to one or more records. */
type AnswerActions = readonly AnswerAction[]
type SavedAnswer = Omit<Extract<Change, { kind: 'save' }>, 'kind'>
/**
 * Returns a record's answer in a bulk action. Null if the record can't be answered this way. @param own the answers in the
 * record's form
 */
type AnswerFor = (record: AnnotationRecord, own: Answers) => SavedAnswer | null

type Options = {
  readonly datasetId: string
  readonly userId: string
  readonly questions: readonly Question[]
  readonly outbox: Outbox
  readonly drafts: Drafts
  readonly activeTime: ActiveTime
  /** Called after an action or its undo. */
  readonly onAction: OnAction
  /** Returns the maximum size of one answer that the server accepts, in bytes. Null if it is unknown. */
  readonly answerLimit: () => number | null
  /** Called instead of the action if the server would refuse an answer because of its size. */
  readonly onTooLarge: OnTooLarge
}

const maxUndoSteps = 20
const recordIdsOf = (actions: AnswerActions): readonly string[] => actions.map(({ item }) => item.record.id)

/** Manages the answers to records: their forms, the actions on them, and undo. Edits in a form are never lost. */
export class Annotator {
  readonly #options: Options
  readonly #current: CurrentAnswers
  readonly #forms: RecordForms
  readonly #shift: ReturnType<typeof createAnswerShift>
  /** The list that is on the screen. */
  #list: RecordList | null = null
  /** The actions that can be undone, the latest last. */
  #actions: readonly AnswerActions[] = []

  constructor(options: Options) {
    const { datasetId, questions, outbox, drafts } = options
    const find = (recordId: string): ListItem | null => this.#find(recordId)
    const onEdit = (recordId: string): void => this.#list?.noteEdit(recordId)
    this.#options = options
    this.#current = new CurrentAnswers(questions, outbox)
    this.#forms = new RecordForms({ questions, drafts, current: this.#current, find, onEdit })
    this.#shift = createAnswerShift({ datasetId, lines: () => outbox.snapshot().lines, find })
  }

  /** Returns the status of a record's answer in this browser, whether or not it is on the server yet. */
  readonly statusOf = (item: ListItem): RecordFilterStatus => this.#current.statusOf(item)

  readonly formOf = (item: ListItem): Form => this.#forms.of(item)

  /** Whether a record has unsent edits, perhaps from an earlier visit. */
  readonly isEdited = (recordId: string): boolean => this.#forms.isEdited(recordId)

  /** Sets the list that is on the screen. */
  show(list: RecordList | null): void {
    this.#list = list
  }

  /**
   * Sets the record that the user works on and whose active time is measured. Null if the user works on no record or on several
   * at once.
   */
  workOn(recordId: string | null): void {
    this.#options.activeTime.show(recordId)
  }

  /** Returns false while required questions are unanswered, or if the answers are too large. */
  submit(): boolean {
    if (!this.#save('submitted')) return false
    void this.#list?.advance()
    return true
  }

  discard(): boolean {
    const item = this.#shown()
    if (!item || this.statusOf(item) === 'discarded' || !this.#save('discarded')) return false
    void this.#list?.advance()
    return true
  }

  saveDraft(): boolean {
    return this.#save('draft')
  }

  /**
   * Gives many records the answers of a bulk action. Records that can't be answered this way stay unchanged. Returns false if an
   * answer is too large.
   */
  saveAll(items: readonly ListItem[], status: AnswerStatus, answerFor: AnswerFor): boolean {
    const { questions } = this.#options
    const all = items.flatMap((item) => {
      const action = this.#actionOn(item)
      const answer = answerFor(item.record, action.answers)
      return answer === null ? [] : [{ action, answer }]
    })
    if (all.some(({ answer }) => this.isTooLarge(answer.values))) return false
    if (all.length === 0) return true
    this.#remember(...all.map(({ action }) => action))
    this.#send(...all.map(({ action: { item }, answer }) => this.#mutationFor(item, { kind: 'save', ...answer })))
    for (const { action, answer } of all)
      this.formOf(action.item).replace(answersFromValues(questions, answer.values, answer.suggestion_outcomes))
    this.#options.onAction(
      status,
      all.map(({ action }) => action.item.record.id),
    )
    void this.#list?.refill()
    return true
  }

  /**
   * Sends the edits of a record that was deleted. The server rejects them, so the outbox keeps them until the user decides about
   * them.
   */
  keepEdits(item: ListItem): void {
    const values = valuesToSend(this.#options.questions, this.formOf(item).snapshot().answers)
    this.#send(this.#mutationFor(item, { kind: 'save', status: 'draft', values }))
  }

  /** Empties the form. A submitted answer is deleted and the record is pending again. */
  readonly clear = (): void => {
    const item = this.#shown()
    if (!item) return
    const form = this.formOf(item)
    const { before, answers } = this.#actionOn(item)
    form.clear()
    if (before.kind !== 'save') return
    this.#remember({ item, before, answers, depth: form.snapshot().depth })
    this.#send(this.#mutationFor(item, { kind: 'remove' }))
    form.rebase({})
    this.#options.onAction('removed', [item.record.id])
  }

  /** Restores an earlier answer of a record. */
  restore({ id }: { readonly id: string }, answer: SavedAnswer): void {
    const item = this.#find(id)
    if (!item || this.isTooLarge(answer.values)) return
    this.#remember(this.#actionOn(item))
    this.#send(this.#timed(this.#mutationFor(item, { kind: 'save', ...answer })))
    this.formOf(item).replace(answersFromValues(this.#options.questions, answer.values, answer.suggestion_outcomes))
    this.#options.onAction(answer.status, [id])
  }

  /** Updates a record that changed on the server. The annotator's own answer and edits are kept. */
  recordChanged({ id, fields, metadata, updated_at }: AnnotationRecord): void {
    const item = this.#find(id)
    if (item) this.#list?.update({ ...item.record, fields, metadata, updated_at })
  }

  /** Undoes the last step in the form. If there is none, undoes the last action and restores the record's previous answer. */
  undo(): boolean {
    const item = this.#shown()
    const last = this.#actions.at(-1)?.find((action) => action.item.record.id === item?.record.id)
    const form = item && this.formOf(item)
    const isOlder = form && (!last || form.snapshot().depth > last.depth)
    return (isOlder && form.undo()) || this.undoAction()
  }

  /**
   * Undoes the last action on one or more records, even if a form has been edited since. Records are restored in reverse order,
   * so that the first one ends up on the screen.
   */
  readonly undoAction = (): boolean => {
    const last = this.#actions.at(-1)
    if (!last) return false
    this.#actions = this.#actions.slice(0, -1)
    this.#send(...last.map(({ item, before }) => this.#mutationFor(item, before)))
    for (const action of last.toReversed()) this.#bringBack(action)
    this.#options.onAction('undone', recordIdsOf(last))
    return true
  }

  redo(): boolean {
    const item = this.#shown()
    return item !== null && this.formOf(item).redo()
  }

  readonly discardEdits = (): void => {
    const item = this.#shown()
    if (item) this.formOf(item).discardEdits()
  }

  /**
   * Compares the state on this device with the server's counts of the user's answers. Returns the difference for each status.
   * @param countedAt when the counts were loaded, in milliseconds since 1970
   */
  shiftSince(countedAt: number): Shift {
    return this.#shift.since(countedAt)
  }

  /** Handles an answer that the server has confirmed, perhaps from another tab. */
  confirmed({ recordId, standing: serverAnswer, isOwn }: Confirmation): void {
    const before = this.#find(recordId)
    if (before) this.#shift.confirmed(before, serverAnswer)
    this.#list?.confirm(recordId, serverAnswer)
    if (before) this.#forms.confirmed(before, { isOwn })
  }

  /** Called when an answer was dropped from the outbox. Removes its record from the actions that can be undone. */
  dropped(recordId: string): void {
    this.#actions = this.#actions
      .map((group) => group.filter(({ item }) => item.record.id !== recordId))
      .filter(({ length }) => length > 0)
    this.#options.onAction('dropped', [recordId])
  }

  /** Settles a conflict in favor of the answer on the server. */
  async takeTheirs(item: ListItem, serverAnswer: ServerAnswer | null): Promise<void> {
    const { outbox, drafts } = this.#options
    const { id } = item.record
    await outbox.drop(id)
    this.#list?.confirm(id, serverAnswer)
    await drafts.drop(id)
    this.#forms.find(id)?.replace(this.#current.answersOf({ ...item, serverAnswer }))
  }

  /** Drops a rejected answer and its edits. If the record no longer exists, removes it from the list. */
  async drop(item: ListItem): Promise<void> {
    const { outbox, drafts } = this.#options
    const { id } = item.record
    const issue = outbox.snapshot().lines.get(id)?.issue
    await outbox.drop(id)
    await drafts.drop(id)
    this.#forms.find(id)?.replace(this.#current.answersOf(item))
    if (issue?.kind === 'rejected' && issue.status === 404) this.#list?.remove(id)
  }

  /** Whether the server would refuse an answer because of its size. If so, the user sees why. */
  isTooLarge(values: AnswerValues): boolean {
    const { answerLimit, onTooLarge } = this.#options
    const limit = answerLimit()
    const fault = limit === null ? null : answerSizeFault(values, limit)
    if (limit === null || fault === null) return false
    onTooLarge(Number(fault.params['size']), limit)
    return true
  }

  #find(recordId: string): ListItem | null {
    return this.#list?.find(recordId) ?? null
  }

  /** Returns the record on the screen. */
  #shown(): ListItem | null {
    return this.#list?.snapshot().item ?? null
  }

  #save(status: AnswerStatus): boolean {
    const item = this.#shown()
    if (!item) return false
    const { questions, onAction } = this.#options
    const action = this.#actionOn(item)
    const isSubmit = status === 'submitted'
    const shown = isSubmit ? shownQuestions(questions, action.answers, item.record.metadata) : questions
    if (isSubmit && missing(shown, action.answers, item.record.fields).length > 0) return false
    const values = valuesToSend(shown, action.answers, item.record.fields)
    if (this.isTooLarge(values)) return false
    const suggestion_outcomes = outcomesToSend(shown, item.record, action.answers)
    this.#remember(action)
    const sides = shownTo(questions, values, { recordId: item.record.id, userId: this.#options.userId })
    const change: Change = { kind: 'save', status, values, ...(suggestion_outcomes && { suggestion_outcomes }), ...sides }
    this.#send(this.#timed(this.#mutationFor(item, change)))
    const stored = answersFromValues(questions, values, suggestion_outcomes)
    // After this, the form no longer contains the answers to hidden questions. Undo restores them.
    if (shown === questions) this.formOf(item).rebase(stored)
    else this.formOf(item).replace(stored)
    onAction(status, [item.record.id])
    return true
  }

  /** Returns the state of a record before an action, for undo. */
  #actionOn(item: ListItem): AnswerAction {
    const { answers, depth } = this.formOf(item).snapshot()
    return { item, before: this.#current.changeOf(item), answers, depth }
  }

  #remember(...group: AnswerActions): void {
    this.#actions = [...this.#actions, group].slice(-maxUndoSteps)
  }

  #bringBack({ item, before, answers }: AnswerAction): void {
    const { record } = item
    this.formOf(this.#find(record.id) ?? item).replace(this.#current.answersAfter(before, item), answers)
    this.#list?.insertAndShow(record)
  }

  #mutationFor(item: ListItem, change: Change): MutationInput {
    return { datasetId: this.#options.datasetId, recordId: item.record.id, base: this.#forms.baseOf(item), change }
  }

  /** Adds the active time since the last change. */
  #timed(mutation: MutationInput): MutationInput {
    return { ...mutation, activeMs: this.#options.activeTime.take(mutation.recordId) }
  }

  #send(...mutations: readonly MutationInput[]): void {
    const { outbox, drafts, activeTime } = this.#options
    const before = outbox.snapshot().lines
    void outbox.save(...mutations.map((one) => ({ ...one, ended: drafts.end(one.recordId) }))).then((lines) => {
      // If the change removes an answer from the outbox, the answer's active time is never sent. Adds this time to the record's
      // unsent active time again.
      for (const { recordId } of mutations) {
        const line = lines.get(recordId) === null && before.get(recordId)
        if (line) activeTime.giveBack(recordId, activeMsIn(line))
      }
    })
    for (const { recordId } of mutations) this.#forms.answered(recordId)
  }
}
