import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/telling/announcer.ts'
import type { Deed } from '../keys/shortcuts.ts'
import { useShortcuts } from '../keys/use-shortcuts.ts'
import { useBeginning } from '../use-beginning.ts'
import { useMedia } from '../use-media.ts'
import { useRecordScreen } from '../use-record-screen.ts'
import { ActionBar } from './form/ActionBar.tsx'
import { QuestionForm } from './form/QuestionForm.tsx'
import { SaveState } from './form/SaveState.tsx'
import { Progress } from './Progress.tsx'
import { RecordNotice } from './record/RecordNotice.tsx'
import { RecordPane } from './record/RecordPane.tsx'
import type { ViewProps } from './ViewFrame.tsx'
import { useHelp, ViewFrame } from './ViewFrame.tsx'

/** One record and its questions. */
export const FocusView = (view: ViewProps) => {
  const { dataset, fields, questions, query, annotation, lastDeed, onQuery } = view
  const { annotator, queue, shown } = annotation
  const { item } = shown
  const { t } = useTranslation('features/annotate')
  const isSmall = useMedia('(max-width: 56rem)')
  const help = useHelp()
  const recordElement = useRef<HTMLDivElement>(null)
  const formScroll = useRef<HTMLDivElement>(null)
  const toNotice = (): void => formScroll.current?.scrollTo({ top: 0 })

  const submit = (): void => {
    if (!annotator.submit()) screen.showMissing()
  }
  const screen = useRecordScreen({
    id: item?.record.id ?? null,
    form: item && annotator.formOf(item),
    questions,
    onQuick: submit,
  })

  const deeds: { readonly [D in Deed]: () => void } = {
    submit: () => item && submit(),
    discard: () => void annotator.discard(),
    saveDraft: () => void annotator.saveDraft(),
    next: queue.next,
    previous: () => void queue.previous(),
    nextQuestion: () => screen.moveFocus(1),
    previousQuestion: () => screen.moveFocus(-1),
    toQuestion: () => screen.focusQuestion(screen.active ?? undefined),
    undo: () => {
      const { depth } = screen
      // What is undone in the form is said here, and what was done before with the record where that is taken back.
      if (annotator.undo() && (screen.form?.snapshot().depth ?? depth) < depth) announce(t('deed.undone'))
    },
    redo: () => annotator.redo() && announce(t('deed.redone')),
    help: help.open,
  }
  useShortcuts({
    form: screen.formElement,
    record: recordElement,
    offer: (press) => screen.keys.offer(press, screen.active),
    onDeed: (deed) => deeds[deed](),
  })

  const recordId = item?.record.id
  useBeginning(recordElement, recordId, query.search)
  const { focusQuestion } = screen
  useEffect(() => {
    if (recordId === undefined) return
    // Who is writing a search, or choosing filters, stays there.
    if (!document.activeElement?.closest('input, select, [popover], [data-keeps-focus]')) focusQuestion(questions[0]?.name)
    // What is to be known first is read first, also where the question is below what is seen.
    formScroll.current?.scrollTo({ top: 0 })
  }, [recordId, questions, focusQuestion])

  /** The keys act on the record again: what was pressed is gone. */
  const toFirstQuestion = (): void => {
    if (questions[0]) focusQuestion(questions[0].name)
    else recordElement.current?.focus()
  }

  /** By its button, which goes once nothing is left to undo. */
  const undoHere = (): void => {
    deeds.undo()
    deeds.toQuestion()
  }

  const record = item && (
    <RecordPane
      ref={recordElement}
      item={item}
      status={annotator.statusOf(item)}
      fields={fields}
      questions={questions}
      annotator={annotator}
      search={query.search}
      score={annotation.similarityOf(item.record.id)}
      similarity={query.similarity}
      onFindSimilar={(similarity) => onQuery({ similarity })}
      screen={screen}
    />
  )

  const form = item && (
    <QuestionForm
      {...screen.formProps}
      scrollRef={formScroll}
      questions={questions}
      record={item.record}
      notice={
        <RecordNotice
          item={item}
          annotator={annotator}
          questions={questions}
          isEdited={screen.isEdited}
          isFromBefore={screen.isFromBefore}
          onDiscardEdits={annotator.discardEdits}
          onTrouble={toNotice}
          onDecided={toFirstQuestion}
        />
      }
      after={isSmall && <Progress datasetId={dataset.id} annotator={annotator} />}
      footer={
        <>
          <ActionBar
            status={annotator.statusOf(item)}
            canSubmit={screen.missing.length === 0}
            onSubmit={submit}
            onDiscard={deeds.discard}
            onSaveDraft={deeds.saveDraft}
            onClear={annotator.clear}
            onCleared={toFirstQuestion}
          />
          <SaveState
            recordId={item.record.id}
            isEdited={screen.isEdited}
            isAnswered={annotator.statusOf(item) !== 'pending'}
            last={lastDeed}
            onUndo={undoHere}
          />
        </>
      }
    />
  )

  return (
    <ViewFrame
      view={view}
      isSmall={isSmall}
      record={record}
      form={form}
      endRef={recordElement}
      help={help}
      asked={questions}
      onNext={deeds.next}
      onPrevious={deeds.previous}
      onUndo={deeds.undo}
      onAsideClosed={deeds.toQuestion}
    />
  )
}
