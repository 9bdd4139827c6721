import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { ReactNode, Ref } from 'react'
import { Suspense, useEffect, useState } from 'react'
import type { QueryChange } from '#lib/url/query-change.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { CompletedAction } from '../announcements/use-action-text.ts'
import { InertForm } from '../answering/form/InertForm.tsx'
import { SaveState } from '../answering/form/SaveState.tsx'
import type { Annotation } from '../context/use-annotation.ts'
import { Progress } from '../progress/Progress.tsx'
import { QueueEnd } from '../queue/QueueEnd.tsx'
import { ListHeader } from '../toolbar/ListHeader.tsx'
import { Sheet } from './Sheet.tsx'
import { Split } from './Split.tsx'
import { useStackedLayout } from './use-stacked-layout.ts'
import { useStoredLayout } from './use-stored-layout.ts'
import styles from './ViewFrame.module.css'

const ShortcutSheet = lazyPart(
  () => import('../answering/keys/ShortcutSheet.tsx').then((module) => ({ default: module.ShortcutSheet })),
  {
    reportsFailure: true,
  },
)

const Guidelines = lazyPart(() => import('../guidelines/Guidelines.tsx').then((module) => ({ default: module.Guidelines })), {
  reportsFailure: true,
})

const GuidelinesSheet = lazyPart(
  () => import('../guidelines/GuidelinesSheet.tsx').then((module) => ({ default: module.GuidelinesSheet })),
  {
    reportsFailure: true,
  },
)

/** The props that all views of a dataset's records share. */
export type ViewProps = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly annotation: Annotation
  /** The last action on answers, which the user can undo. Null if there is none. */
  readonly lastAction: CompletedAction | null
  readonly onQuery: (change: QueryChange) => void
  readonly onBulk: (bulk: boolean) => void
}

/** Returns the open state of the shortcut sheet and functions that change the state. */
export const useHelp = () => {
  const [isOpen, setOpen] = useState(false)
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}

type Props = {
  readonly view: ViewProps
  readonly isSmall: boolean
  /** The record. Null if the list is empty or not loaded. */
  readonly record: ReactNode
  /** The questions. Null if there is nothing to answer. */
  readonly form: ReactNode
  /** Content between the header of the list and its records. */
  readonly aboveList?: ReactNode
  /** The element shown in place of a record if there is none. */
  readonly endRef?: Ref<HTMLDivElement>
  readonly help: ReturnType<typeof useHelp>
  /** The questions that the shortcuts answer. */
  readonly shownQuestions: readonly Question[]
  readonly isBulk?: boolean
  readonly onNext: () => void
  readonly onPrevious: () => void
  readonly onUndo: () => void
  /** Called after the shortcut sheet or a focused panel closes. Moves the focus to an element where record shortcuts work. */
  readonly onSidePanelClosed: () => void
}

/** The two columns of a view: the list with its records, and the form. */
export const ViewFrame = ({
  view,
  isSmall,
  record,
  form,
  aboveList,
  endRef,
  help,
  shownQuestions,
  isBulk = false,
  ...on
}: Props) => {
  const { dataset, fields, questions, query, annotation, lastAction, onQuery, onBulk } = view
  const { annotator, records, shown } = annotation
  const isListEnd = record === null && shown.phase === 'ready'
  useEffect(() => {
    // The focused element disappeared with the last record.
    if (isListEnd && document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [isListEnd])
  const [isPanelOpen, setPanelOpen] = useStoredLayout(`guidelines:${dataset.id}`, false as boolean)
  // An open sheet covers the record, so the sheet is closed whenever the page is opened.
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [guidelinesOpen, setGuidelinesOpen] = isSmall ? [isSheetOpen, setSheetOpen] : [isPanelOpen, setPanelOpen]
  const list = { dataset, fields, questions, query, onQuery }
  const column = (
    <>
      <ListHeader
        {...list}
        shown={shown}
        guidelinesOpen={guidelinesOpen}
        onBulk={onBulk}
        onGuidelines={() => setGuidelinesOpen(!guidelinesOpen)}
        onHelp={help.open}
        onNext={on.onNext}
        onPrevious={on.onPrevious}
      />
      {aboveList}
      {record ?? (
        <div ref={endRef} className={styles['end']} aria-busy={shown.phase === 'loading'}>
          {shown.phase === 'loading' ? (
            <Skeleton height="9lh" />
          ) : (
            <QueueEnd
              {...list}
              isFromDevice={annotation.isFromDevice}
              problem={shown.phase === 'failed' ? shown.problem : null}
              onRetry={() => void records.open()}
            />
          )}
        </div>
      )}
      {guidelinesOpen && !isSmall && (
        <Suspense>
          <Guidelines
            text={dataset.guidelines}
            onClose={() => {
              setGuidelinesOpen(false)
              on.onSidePanelClosed()
            }}
          />
        </Suspense>
      )}
    </>
  )
  const margin = (
    <>
      <div className={styles[form ? 'form' : 'bare']}>
        {form ?? (
          <div className={styles['noForm']}>
            {!isSmall && <InertForm questions={shownQuestions} />}
            {(lastAction !== null || !isSmall) && (
              <SaveState recordId={null} isEdited={false} isAnswered={false} last={lastAction} onUndo={on.onUndo} />
            )}
          </div>
        )}
      </div>
      {(!isSmall || !form) && <Progress datasetId={dataset.id} annotator={annotator} />}
    </>
  )
  const Layout = useStackedLayout() ? Sheet : Split
  return (
    <>
      <Layout datasetId={dataset.id} record={column} form={margin} hasForm={form !== null} />
      {guidelinesOpen && isSmall && (
        <Suspense>
          <GuidelinesSheet text={dataset.guidelines} onClose={() => setGuidelinesOpen(false)} />
        </Suspense>
      )}
      {help.isOpen && (
        <Suspense>
          <ShortcutSheet
            isBulk={isBulk}
            questions={shownQuestions}
            onClose={() => {
              help.close()
              on.onSidePanelClosed()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
