import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { ReactNode, Ref } from 'react'
import { Suspense, useEffect, useState } from 'react'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { useKept } from '../layout-store.ts'
import type { DeedDone } from '../telling/use-deed-words.ts'
import type { Annotation } from '../use-annotation.ts'
import { useStacked } from '../use-stacked.ts'
import { RestingForm } from './form/RestingForm.tsx'
import { SaveState } from './form/SaveState.tsx'
import { Sheet } from './form/Sheet.tsx'
import { Guidelines } from './Guidelines.tsx'
import { ListHead } from './ListHead.tsx'
import { Progress } from './Progress.tsx'
import { QueueEnd } from './QueueEnd.tsx'
import { Split } from './Split.tsx'
import styles from './ViewFrame.module.css'

const ShortcutSheet = lazyPart(
  () => import('./toolbar/ShortcutSheet.tsx').then((module) => ({ default: module.ShortcutSheet })),
  {
    isAskedFor: true,
  },
)

const GuidelinesSheet = lazyPart(() => import('./GuidelinesSheet.tsx').then((module) => ({ default: module.GuidelinesSheet })), {
  isAskedFor: true,
})

/** What every view of a dataset's records is given. */
export type ViewProps = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly annotation: Annotation
  /** What was done last to answers, for the offer to undo it; null when nothing was. */
  readonly lastDeed: DeedDone | null
  readonly onQuery: (change: QueryChange) => void
  readonly onBulk: (bulk: boolean) => void
}

/** Whether the sheet of keys is open. */
export const useHelp = () => {
  const [isOpen, setOpen] = useState(false)
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) }
}

type Props = {
  readonly view: ViewProps
  readonly isSmall: boolean
  /** What is read; null where the list is empty, or not there yet. */
  readonly record: ReactNode
  /** The questions; null where there is nothing to answer. */
  readonly form: ReactNode
  /** What stands between the head of the list and its records. */
  readonly aboveList?: ReactNode
  /** The element that stands in the record's place while there is none. */
  readonly endRef?: Ref<HTMLDivElement>
  readonly help: ReturnType<typeof useHelp>
  /** Those that the keys answer. */
  readonly asked: readonly Question[]
  readonly isBulk?: boolean
  readonly onNext: () => void
  readonly onPrevious: () => void
  readonly onUndo: () => void
  /** Puts the focus where keys act on records, once the sheet of keys, or a panel that had it, has gone. */
  readonly onAsideClosed: () => void
}

/** The two columns of a view: which records, what they say, and the margin beside them. */
export const ViewFrame = ({ view, isSmall, record, form, aboveList, endRef, help, asked, isBulk = false, ...on }: Props) => {
  const { dataset, fields, questions, query, annotation, lastDeed, onQuery, onBulk } = view
  const { annotator, queue, shown } = annotation
  const isOver = record === null && shown.phase === 'ready'
  useEffect(() => {
    // What had the focus has gone with the last record.
    if (isOver && document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [isOver])
  const [isPanelOpen, setPanelOpen] = useKept(`guidelines:${dataset.id}`, false as boolean)
  // What covers the record is opened each time it is wanted.
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [guidelinesOpen, setGuidelinesOpen] = isSmall ? [isSheetOpen, setSheetOpen] : [isPanelOpen, setPanelOpen]
  const list = { dataset, fields, questions, query, onQuery }
  const column = (
    <>
      <ListHead
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
              isAtHand={annotation.isAtHand}
              problem={shown.phase === 'failed' ? shown.problem : null}
              onAgain={() => void queue.open()}
            />
          )}
        </div>
      )}
      {guidelinesOpen && !isSmall && (
        <Guidelines
          text={dataset.guidelines}
          onClose={() => {
            setGuidelinesOpen(false)
            on.onAsideClosed()
          }}
        />
      )}
    </>
  )
  const margin = (
    <>
      <div className={styles[form ? 'form' : 'bare']}>
        {form ?? (
          <div className={styles['noForm']}>
            {!isSmall && <RestingForm questions={asked} />}
            {(lastDeed !== null || !isSmall) && (
              <SaveState recordId={null} isEdited={false} isAnswered={false} last={lastDeed} onUndo={on.onUndo} />
            )}
          </div>
        )}
      </div>
      {(!isSmall || !form) && <Progress datasetId={dataset.id} annotator={annotator} />}
    </>
  )
  const Layout = useStacked() ? Sheet : Split
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
            questions={asked}
            onClose={() => {
              help.close()
              on.onAsideClosed()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
