import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useKept } from '../layout-store.ts'
import type { Deed } from '../shortcuts.ts'
import type { Annotation } from '../use-annotation.ts'
import { useMedia } from '../use-media.ts'
import { useRecordScreen } from '../use-record-screen.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import { ActionBar } from './ActionBar.tsx'
import styles from './FocusView.module.css'
import { Guidelines } from './Guidelines.tsx'
import { ListHead } from './ListHead.tsx'
import { Progress } from './Progress.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { QueueEnd } from './QueueEnd.tsx'
import { RecordNotice } from './RecordNotice.tsx'
import { RecordPane } from './RecordPane.tsx'
import type { LastDeed } from './SaveState.tsx'
import { SaveState } from './SaveState.tsx'
import { Sheet } from './Sheet.tsx'
import { Split } from './Split.tsx'

const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx').then((module) => ({ default: module.ShortcutSheet })))

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly annotation: Annotation
  /** What was done last to an answer, for the offer to undo it; null when nothing was. */
  readonly lastDeed: LastDeed | null
  readonly onQuery: (change: QueryChange) => void
  readonly onBulk: (bulk: boolean) => void
}

/** One record and its questions. */
export const FocusView = ({ dataset, fields, questions, query, annotation, lastDeed, onQuery, onBulk }: Props) => {
  const { annotator, queue, shown } = annotation
  const { item } = shown
  const isSmall = useMedia('(max-width: 56rem)')
  const [guidelinesOpen, setGuidelinesOpen] = useKept(`guidelines:${dataset.id}`, false as boolean)
  const [showsHelp, setShowsHelp] = useState(false)
  const recordElement = useRef<HTMLDivElement>(null)

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
    undo: () => void annotator.undo(),
    redo: () => void annotator.redo(),
    help: () => setShowsHelp(true),
  }
  useShortcuts({
    form: screen.formElement,
    record: recordElement,
    offer: (press) => screen.keys.offer(press, screen.active),
    onDeed: (deed) => deeds[deed](),
  })

  const recordId = item?.record.id
  const { focusQuestion } = screen
  useEffect(() => {
    if (recordId === undefined) return
    recordElement.current?.scrollTo({ top: 0 })
    // Who is writing a search, or choosing filters, stays there.
    if (!document.activeElement?.closest('input, select, [popover], [data-keeps-focus]')) focusQuestion(questions[0]?.name)
  }, [recordId, questions, focusQuestion])

  const record = (
    <>
      <ListHead
        dataset={dataset}
        fields={fields}
        questions={questions}
        query={query}
        shown={shown}
        guidelinesOpen={guidelinesOpen}
        onQuery={onQuery}
        onBulk={onBulk}
        onGuidelines={() => setGuidelinesOpen(!guidelinesOpen)}
        onHelp={() => setShowsHelp(true)}
        onNext={queue.next}
        onPrevious={() => void queue.previous()}
      />
      {item ? (
        <RecordPane
          ref={recordElement}
          item={item}
          status={annotator.statusOf(item)}
          fields={fields}
          questions={questions}
          search={query.search}
          score={annotation.similarityOf(item.record.id)}
          similarity={query.similarity}
          onFindSimilar={(similarity) => onQuery({ similarity })}
          screen={screen}
        />
      ) : (
        <div ref={recordElement} className={styles['end']} aria-busy={shown.phase === 'loading'}>
          {shown.phase === 'loading' ? (
            <Skeleton height="9lh" />
          ) : (
            <QueueEnd
              dataset={dataset}
              fields={fields}
              questions={questions}
              query={query}
              problem={shown.phase === 'failed' ? shown.problem : null}
              onAgain={() => void queue.open()}
              onQuery={onQuery}
            />
          )}
        </div>
      )}
      {guidelinesOpen && <Guidelines text={dataset.guidelines} onClose={() => setGuidelinesOpen(false)} />}
    </>
  )

  const form = item ? (
    <QuestionForm
      ref={screen.formElement}
      questions={questions}
      record={item.record}
      answers={screen.answers}
      keys={screen.keys}
      active={screen.active}
      missing={screen.shownMissing}
      sharedOf={screen.sharedOf}
      onAnswer={screen.onAnswer}
      onFocusQuestion={screen.onFocusQuestion}
      notice={
        <RecordNotice
          item={item}
          annotator={annotator}
          questions={questions}
          isEdited={screen.isEdited}
          isFromBefore={screen.isFromBefore}
          onDiscardEdits={annotator.discardEdits}
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
          />
          <SaveState
            recordId={item.record.id}
            isEdited={screen.isEdited}
            isAnswered={annotator.statusOf(item) !== 'pending'}
            last={lastDeed}
            onUndo={deeds.undo}
          />
        </>
      }
    />
  ) : (
    <div className={styles['noForm']}>
      {lastDeed !== null && <SaveState recordId={null} isEdited={false} isAnswered={false} last={lastDeed} onUndo={deeds.undo} />}
    </div>
  )

  const margin = (
    <>
      <div className={styles[item ? 'form' : 'bare']}>{form}</div>
      {(!isSmall || !item) && <Progress datasetId={dataset.id} annotator={annotator} />}
    </>
  )
  const Layout = isSmall ? Sheet : Split
  return (
    <>
      <Layout datasetId={dataset.id} record={record} form={margin} hasForm={item !== null} />
      {showsHelp && (
        <Suspense>
          <ShortcutSheet
            questions={questions}
            onClose={() => {
              setShowsHelp(false)
              screen.focusQuestion(screen.active ?? undefined)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
