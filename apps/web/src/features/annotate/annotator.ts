import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { Drafts } from '#lib/drafts/drafts.ts'
import type { Confirmation, Outbox, Wanted } from '#lib/outbox/outbox.ts'
import type { AnswerStatus, Change, Entry, StandingAnswer } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { createAnswerShift } from './answer-shift.ts'
import { givenAnswers, keptAnswers, missing, suggestedAnswers, valuesToSend, withOwnAnswers } from './form/answers.ts'
import type { Form } from './form/form.ts'
import { createForm } from './form/form.ts'
import { createOrigins } from './origins.ts'
import type { QueueItem } from './queue/item.ts'
import type { Queue } from './queue/queue.ts'

/** What one press did to one record, for its undo. */
type Deed = {
  readonly item: QueueItem
  readonly before: Change
  readonly answers: Answers /** Steps that the form's own undo had then. */
  readonly depth: number
}
type SaveChange = Extract<Change, { readonly kind: 'save' }>
/** What one press did to one or many records. */
type Deeds = readonly Deed[]

export type Annotator = ReturnType<typeof createAnnotator>

type Options = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly outbox: Outbox
  readonly drafts: Drafts
  /** After something was done, or undone: for notices and announcements. */
  readonly onDeed: (deed: AnswerStatus | 'removed' | 'undone' | 'dropped', recordIds: readonly string[]) => void
}

const mostDeeds = 20

/** Answers records: forms with edits that are never lost, what is done with them, and the way back. */
export const createAnnotator = ({ datasetId, questions, outbox, drafts, onDeed }: Options) => {
  const forms = new Map<string, Form>()
  let queue: Queue | null = null
  let deeds: readonly Deeds[] = []
  const shift = createAnswerShift({ datasetId, lines: () => outbox.snapshot().lines, find: (id) => queue?.find(id) })

  /** The last change of an answer that the server has not confirmed. */
  const lastEntry = (recordId: string): Entry | null => outbox.snapshot().lines.get(recordId)?.entries.at(-1) ?? null
  const unsent = (recordId: string): Change | null => lastEntry(recordId)?.change ?? null
  const origins = createOrigins(lastEntry)

  const given = ({ record, standing }: QueueItem): Change => {
    const change = unsent(record.id)
    if (change) return change
    return standing ? { kind: 'save', status: standing.status, values: standing.values } : { kind: 'remove' }
  }

  const statusOf = (item: QueueItem): RecordFilterStatus => {
    // What was refused is not given: its record is open again.
    const isRefused = outbox.snapshot().lines.get(item.record.id)?.trouble?.kind === 'refused'
    if (isRefused) return item.standing?.status ?? 'pending'
    const change = given(item)
    return change.kind === 'save' ? change.status : 'pending'
  }

  const answersOf = (item: QueueItem): Answers => {
    const change = given(item)
    return change.kind === 'save' ? givenAnswers(questions, change.values) : suggestedAnswers(questions, item.record)
  }

  /** The draft store keeps an edit in memory at once; of one that the device refuses, the outbox says so. */
  const keep = (recordId: string, answers: Answers | null): void => {
    const base_version = origins.ofEdits(recordId, queue?.find(recordId)?.standing?.version ?? null)
    const kept = answers ? drafts.put(recordId, { answers, base_version }) : drafts.drop(recordId)
    kept.catch(() => undefined)
  }

  const formOf = (item: QueueItem): Form => {
    const { id } = item.record
    const known = forms.get(id)
    if (known) return known
    const draft = drafts.get(id)
    const form = createForm({
      questions,
      base: answersOf(item),
      edits: draft ? keptAnswers(questions, draft.answers) : null,
      onEdits: (answers) => keep(id, answers),
    })
    origins.open(id, draft, item.standing?.version ?? null)
    forms.set(id, form)
    return form
  }

  const current = (): QueueItem | null => queue?.snapshot().item ?? null

  const standingOf = (item: QueueItem): StandingAnswer | null => (queue?.find(item.record.id) ?? item).standing

  const wantedFor = (item: QueueItem, wanted: Change): Wanted => {
    const { id } = item.record
    return { datasetId, recordId: id, base: origins.ofAnswer(id, standingOf(item)?.version ?? null), change: wanted }
  }

  const send = (...wanted: readonly Wanted[]): void => {
    void outbox.save(...wanted.map((one) => ({ ...one, ended: drafts.end(one.recordId) })))
    for (const { recordId } of wanted) origins.given(recordId)
  }
  const change = (item: QueueItem, wanted: Change): void => send(wantedFor(item, wanted))

  const remember = (...together: Deeds): void => {
    deeds = [...deeds, together].slice(-mostDeeds)
  }

  const save = (status: AnswerStatus): boolean => {
    const item = current()
    if (!item) return false
    const form = formOf(item)
    const { answers } = form.snapshot()
    if (status === 'submitted' && missing(questions, answers).length > 0) return false
    remember({ item, before: given(item), answers, depth: form.snapshot().depth })
    change(item, { kind: 'save', status, values: valuesToSend(questions, answers) })
    form.rebase(givenAnswers(questions, valuesToSend(questions, answers)))
    onDeed(status, [item.record.id])
    return true
  }

  const bringBack = ({ item, before, answers }: Deed): void => {
    const { record } = item
    const base = before.kind === 'save' ? givenAnswers(questions, before.values) : suggestedAnswers(questions, record)
    formOf(queue?.find(record.id) ?? item).replace(base, answers)
    queue?.bring(record)
  }

  /** Takes back what was done last; the record that came first in the list is gone to last. */
  const undoDeed = (): boolean => {
    const last = deeds.at(-1)
    if (!last) return false
    deeds = deeds.slice(0, -1)
    send(...last.map(({ item, before }) => wantedFor(item, before)))
    for (const deed of last.toReversed()) bringBack(deed)
    onDeed(
      'undone',
      last.map(({ item }) => item.record.id),
    )
    return true
  }

  const toSaveOne = (
    item: QueueItem,
    status: AnswerStatus,
    common: Answers,
  ): { readonly deed: Deed; readonly change: SaveChange } => {
    const { answers, depth } = formOf(item).snapshot()
    const values = valuesToSend(questions, withOwnAnswers(questions, common, answers))
    return { deed: { item, before: given(item), answers, depth }, change: { kind: 'save', status, values } }
  }

  return {
    statusOf,
    formOf,
    /** Whether there are edits of a record that were not sent, perhaps from before. */
    isEdited: (recordId: string): boolean => forms.get(recordId)?.snapshot().isEdited ?? drafts.get(recordId) !== null,
    /** Says which list is on the screen. */
    show: (shown: Queue | null): void => {
      queue = shown
    },
    /** False while required questions are open. */
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
    /** Gives many records the same answers; what is answered in a record's own text stays its own. */
    saveAll: (items: readonly QueueItem[], status: AnswerStatus, common: Answers): void => {
      const all = items.map((item) => toSaveOne(item, status, common))
      remember(...all.map(({ deed }) => deed))
      send(...all.map(({ deed, change: wanted }) => wantedFor(deed.item, wanted)))
      for (const { deed, change: wanted } of all) formOf(deed.item).replace(givenAnswers(questions, wanted.values))
      onDeed(
        status,
        items.map((item) => item.record.id),
      )
      void queue?.refill()
    },
    /** Empties the form; an answer that was given is taken back, and the record is pending again. */
    clear: (): void => {
      const item = current()
      if (!item) return
      const form = formOf(item)
      const before = given(item)
      const { answers } = form.snapshot()
      form.clear()
      if (before.kind !== 'save') return
      remember({ item, before, answers, depth: form.snapshot().depth })
      change(item, { kind: 'remove' })
      form.rebase({})
      onDeed('removed', [item.record.id])
    },
    /** Gives a record an answer that it had before. */
    restore: (
      { id }: { readonly id: string },
      { status, values }: { readonly status: AnswerStatus; readonly values: AnswerValues },
    ): void => {
      const item = queue?.find(id)
      if (!item) return
      const { answers, depth } = formOf(item).snapshot()
      remember({ item, before: given(item), answers, depth })
      change(item, { kind: 'save', status, values })
      formOf(item).replace(givenAnswers(questions, values))
      onDeed(status, [id])
    },
    /** A record was changed on the server; what belongs to its annotator stays. */
    recordChanged: ({ id, fields, metadata, updated_at }: AnnotationRecord): void => {
      const item = queue?.find(id)
      if (item) queue?.update({ ...item.record, fields, metadata, updated_at })
    },
    /** Undoes in the form; where there is nothing to undo, what was done last: its record comes back with the answer it had. */
    undo: (): boolean => {
      const item = current()
      const last = deeds.at(-1)?.find((deed) => deed.item.record.id === item?.record.id)
      const form = item && formOf(item)
      const isOlder = form && (!last || form.snapshot().depth > last.depth)
      return (isOlder && form.undo()) || undoDeed()
    },
    /** Undoes what was done last, to one record or to many, whatever was changed in a form since. */
    undoDeed,
    redo: (): boolean => {
      const item = current()
      return item !== null && formOf(item).redo()
    },
    discardEdits: (): void => {
      const item = current()
      if (item) formOf(item).discardEdits()
    },
    /** How the server's counts of one's own answers, that came then, differ from what was done here. */
    shiftSince: shift.since,
    /** The server has taken an answer, perhaps one that was given in another tab. */
    confirmed: ({ recordId, standing, isOwn }: Confirmation): void => {
      const before = queue?.find(recordId)
      if (before) shift.confirmed(before, standing)
      queue?.confirm(recordId, standing)
      const item = queue?.find(recordId)
      const form = forms.get(recordId)
      if (!before || !item || !form || unsent(recordId)) return
      if (isOwn) form.rebase(answersOf(item))
      else if (!form.snapshot().isEdited) form.replace(answersOf(item))
      else origins.overtaken(recordId, drafts.get(recordId), before.standing?.version ?? null)
    },
    /** An answer is given up: what was done to its record cannot be undone any more, and is no part of what was done to others. */
    givenUp: (recordId: string): void => {
      deeds = deeds
        .map((together) => together.filter(({ item }) => item.record.id !== recordId))
        .filter(({ length }) => length > 0)
      onDeed('dropped', [recordId])
    },
    /** Settles a conflict for the answer that stands on the server. */
    takeTheirs: async (item: QueueItem, standing: StandingAnswer | null): Promise<void> => {
      await outbox.giveUp(item.record.id)
      queue?.confirm(item.record.id, standing)
      await drafts.drop(item.record.id)
      forms.get(item.record.id)?.replace(answersOf({ ...item, standing }))
    },
    /** Drops an answer that the server refused, edits and all, and what it was refused for: a record that is not there any more. */
    giveUp: async (item: QueueItem): Promise<void> => {
      const { id } = item.record
      const trouble = outbox.snapshot().lines.get(id)?.trouble
      await outbox.giveUp(id)
      await drafts.drop(id)
      forms.get(id)?.replace(answersOf(item))
      if (trouble?.kind === 'refused' && trouble.status === 404) queue?.remove(id)
    },
  }
}
