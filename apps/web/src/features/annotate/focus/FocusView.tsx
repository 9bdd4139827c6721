import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useMemo, useRef } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { questionSlice } from '#question-types/registry.ts'
import { ViewerContext } from '#question-types/viewer.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { ActionBar } from '../answering/form/ActionBar.tsx'
import { MissingAnswers } from '../answering/form/MissingAnswers.tsx'
import { QuestionForm } from '../answering/form/QuestionForm.tsx'
import { SaveState } from '../answering/form/SaveState.tsx'
import { SubmitOnKeySwitch } from '../answering/form/SubmitOnKeySwitch.tsx'
import type { ShortcutAction } from '../answering/keys/shortcuts.ts'
import { useShortcuts } from '../answering/keys/use-shortcuts.ts'
import { changeSubmitOnKey, useSubmitOnKey } from '../answering/submit-on-key.ts'
import { useRecordScreen } from '../answering/use-record-screen.ts'
import { textChangesQuery } from '../api.ts'
import { useRecordCheck } from '../context/use-record-check.ts'
import type { ViewProps } from '../layout/ViewFrame.tsx'
import { useHelp, ViewFrame } from '../layout/ViewFrame.tsx'
import { DeletedRecord } from '../lazy-parts.ts'
import { Progress } from '../progress/Progress.tsx'
import { isOfDeletedRecord } from '../record/is-of-deleted-record.ts'
import { RecordNotice } from '../record/RecordNotice.tsx'
import { useInitialScroll } from '../record/use-initial-scroll.ts'
import { useRevealedRecord } from '../record/use-revealed-record.ts'
import { RecordPane } from './RecordPane.tsx'
import { useKeySubmit } from './use-key-submit.ts'

const TextChangesNotice = lazyPart(() =>
  import('../guidelines/TextChangesNotice.tsx').then((module) => ({ default: module.TextChangesNotice })),
)

/** One record and its questions. */
export const FocusView = (view: ViewProps) => {
  const { dataset, fields, questions, query, annotation, lastAction, onQuery } = view
  const { annotator, records, shown } = annotation
  const { item } = shown
  const revealedRecord = useRevealedRecord(dataset.id, item)
  const { t } = useTranslation('features/annotate')
  const isSmall = useMedia('(max-width: 56rem)')
  const help = useHelp()
  const recordElement = useRef<HTMLDivElement>(null)
  const formScroll = useRef<HTMLDivElement>(null)
  const scrollToNotice = (): void => formScroll.current?.scrollTo({ top: 0 })

  const submit = (): boolean => {
    const isSubmitted = annotator.submit()
    if (!isSubmitted) screen.showMissing()
    return isSubmitted
  }
  const user = useUser()
  const submitsOnKey = useSubmitOnKey(user.id)
  const [only, ...others] = questions
  const isQuick = only !== undefined && others.length === 0 && questionSlice(only.settings).isQuick === true
  const keySubmit = useKeySubmit({ lastAction, submit, undo: annotator.undoAction })
  const screen = useRecordScreen({
    id: item?.record.id ?? null,
    form: item && annotator.formOf(item),
    questions,
    metadata: item?.record.metadata ?? null,
    fields: item?.record.fields,
    onQuickAnswer: () => submitsOnKey && keySubmit.submitByKey(),
  })
  const { data: textChanges } = useQuery(textChangesQuery(dataset.id))
  const line = useOutbox().lines.get(item?.record.id ?? '')
  const deletedLine = isOfDeletedRecord(line) ? line : null
  const canAnswer = item !== null && deletedLine === null
  useRecordCheck({ datasetId: dataset.id, item, annotator, isEdited: screen.isEdited && canAnswer })

  const actions: { readonly [D in ShortcutAction]: () => void } = {
    submit: () => canAnswer && !keySubmit.isEnterPaused() && submit(),
    discard: () => canAnswer && annotator.discard(),
    saveDraft: () => canAnswer && annotator.saveDraft(),
    next: () => records.next(),
    previous: () => void records.previous(),
    nextQuestion: () => screen.moveFocus(1),
    previousQuestion: () => screen.moveFocus(-1),
    toQuestion: () => screen.focusQuestion(screen.active ?? undefined),
    undo: () => {
      const { depth } = screen
      // Announces only undo steps in the form. An undone action is announced elsewhere.
      if (annotator.undo() && (screen.form?.snapshot().depth ?? depth) < depth) announce(t('done.undone'))
    },
    redo: () => annotator.redo() && announce(t('done.redone')),
    help: help.open,
  }
  useShortcuts({
    form: screen.formElement,
    record: recordElement,
    dispatch: (press) => screen.keys.dispatch(press, screen.active),
    onAction: (action) => actions[action](),
  })

  const recordId = item?.record.id
  useInitialScroll(recordElement, recordId, query.search)
  const { focusQuestion } = screen
  // Answers never hide or show the first question, so `first` changes only with the record.
  const first = screen.questions[0]?.name
  useEffect(() => {
    if (recordId === undefined) return
    // Focus stays in a search input or an open filter.
    if (!document.activeElement?.closest('input, select, [popover], [data-keeps-focus]')) focusQuestion(first)
    // Notices are at the top, so the form scrolls there even if that hides the question.
    formScroll.current?.scrollTo({ top: 0 })
  }, [recordId, first, focusQuestion])

  useEffect(() => {
    annotator.workOn(recordId ?? null)
    return () => annotator.workOn(null)
  }, [annotator, recordId])

  /** Moves the focus, because the pressed button has disappeared. Focuses the first question or, if there is none, the record. */
  const toFirstQuestion = (): void => {
    if (first !== undefined) focusQuestion(first)
    else recordElement.current?.focus()
  }

  /** Undoes a step and moves the focus, because the undo button disappears when nothing is left to undo. */
  const undoAndFocus = (): void => {
    actions.undo()
    actions.toQuestion()
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
      notice={
        textChanges && (
          <Suspense>
            <TextChangesNotice
              datasetId={dataset.id}
              questions={questions}
              changes={textChanges}
              onSeen={() => toFirstQuestion()}
            />
          </Suspense>
        )
      }
    />
  )

  const missingId = useId()
  const missing =
    screen.missing.length === 0
      ? null
      : {
          id: missingId,
          text: <MissingAnswers questions={screen.missing} answers={screen.answers} fields={item?.record.fields} />,
        }
  const questionForm = item && revealedRecord && (
    <QuestionForm
      {...screen.formProps}
      scrollRef={formScroll}
      record={revealedRecord}
      notice={
        <RecordNotice
          item={item}
          annotator={annotator}
          questions={questions}
          isEdited={screen.isEdited}
          isRestored={screen.isRestored}
          onDiscardEdits={annotator.discardEdits}
          onProblem={scrollToNotice}
          onDecided={toFirstQuestion}
        />
      }
      setting={
        isQuick && (
          <SubmitOnKeySwitch
            isOn={submitsOnKey}
            onChange={(isOn) => changeSubmitOnKey(user.id, isOn)}
            onPointerDone={() => focusQuestion(only.name)}
          />
        )
      }
      after={isSmall && <Progress datasetId={dataset.id} annotator={annotator} />}
      footer={
        <>
          <ActionBar
            status={annotator.statusOf(item)}
            missingId={missing?.id ?? null}
            onSubmit={() => void submit()}
            onDiscard={actions.discard}
            onSaveDraft={actions.saveDraft}
            onClear={annotator.clear}
            onCleared={toFirstQuestion}
          />
          <SaveState
            recordId={item.record.id}
            isEdited={screen.isEdited}
            isAnswered={annotator.statusOf(item) !== 'pending'}
            last={lastAction}
            onUndo={undoAndFocus}
            missing={missing}
          />
        </>
      }
    />
  )

  const dropAnswer = (): void => {
    if (item) void annotator.drop(item)
    toFirstQuestion()
  }
  const form =
    item && deletedLine ? (
      <Suspense>
        <DeletedRecord item={item} line={deletedLine} questions={questions} onDrop={dropAnswer} />
      </Suspense>
    ) : (
      questionForm
    )

  const viewer = useMemo(() => (recordId === undefined ? null : { recordId, userId: user.id }), [recordId, user.id])
  return (
    <ViewerContext value={viewer}>
      <ViewFrame
        view={view}
        isSmall={isSmall}
        record={record}
        form={form}
        endRef={recordElement}
        help={help}
        shownQuestions={questions}
        onNext={actions.next}
        onPrevious={actions.previous}
        onUndo={actions.undo}
        onSidePanelClosed={actions.toQuestion}
      />
    </ViewerContext>
  )
}
