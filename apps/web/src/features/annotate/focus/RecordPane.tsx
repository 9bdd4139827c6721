import type { RecordFilterStatus, Similarity, TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { type ReactNode, type Ref, Suspense } from 'react'
import { loadCommentsButton } from '#features/comments/public.ts'
import { formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useIdle } from '#lib/net/use-idle.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { SimilarIcon } from '#ui/marks/icons.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { useMedia } from '#ui/page/use-media.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { Annotator } from '../answering/annotator.ts'
import type { useRecordScreen } from '../answering/use-record-screen.ts'
import type { ListItem } from '../queue/list-item.ts'
import { RecordFields } from '../record/RecordFields.tsx'
import { RecordMenu } from '../record/RecordMenu.tsx'
import { useFindSimilar } from '../similarity/use-find-similar.tsx'
import styles from './RecordPane.module.css'

const CommentsButton = lazyPart(async () => ({ default: await loadCommentsButton() }))

type Props = {
  readonly ref: Ref<HTMLDivElement>
  readonly item: ListItem
  readonly status: RecordFilterStatus
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  readonly search: TextSearch | null
  /** The similarity to the reference record, 0 to 1. Null if there is no reference record. */
  readonly score: number | null
  readonly similarity: Similarity | null
  readonly onFindSimilar: (similarity: Similarity) => void
  /** Shown above the record. */
  readonly notice: ReactNode
  readonly screen: Pick<ReturnType<typeof useRecordScreen>, 'questions' | 'answers' | 'sharedOf' | 'onAnswer' | 'onFocusQuestion'>
}

export const RecordPane = ({
  ref,
  item,
  status,
  fields,
  questions,
  annotator,
  search,
  score,
  similarity,
  screen,
  notice,
  ...on
}: Props) => {
  const { t } = useTranslation('features/annotate')
  const { record } = item
  // The comments aren't needed for the first render.
  const isIdle = useIdle()
  // If the user had already submitted an answer when the record was loaded, it is unknown whether the other answers are enough to
  // complete the record.
  const isCompleteByOthers = record.status === 'completed' && record.responses?.[0]?.status !== 'submitted'
  const isSmall = useMedia('(max-width: 56rem)')
  const { find, dialog } = useFindSimilar({ record, onFind: on.onFindSimilar })
  // In narrower windows, the record's ID would leave too little room for the first field's title. The ID is also in the menu.
  const isWide = useMedia(find ? '(min-width: 100rem)' : '(min-width: 80rem)')
  const className = classNames(styles['pane'], find && !isSmall && styles['withFind'], isWide && styles['withId'])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={ref} className={className} aria-label={t('record.name')} tabIndex={0} data-status={status}>
      <div className={styles['head']}>
        {score !== null && similarity && (
          <span className={styles['score']}>
            <VisuallyHidden>{t(`similarity.score.${similarity.order}`)}</VisuallyHidden> {formatPercent(score)}
          </span>
        )}
        {find && !isSmall && (
          <Button look="quiet" icon={SimilarIcon} className={styles['find']} onClick={find}>
            {t('similarity.find')}
          </Button>
        )}
        {isWide && (
          <>
            <bdi className={styles['id']} title={record.external_id ?? record.id}>
              {record.external_id ?? record.id}
            </bdi>
            <CopyButton label={t('record.copyLink')} text={recordLink(record.dataset_id, record.id)} />
          </>
        )}
        <StatusBadge status={status} />
        {isCompleteByOthers && status !== 'submitted' && <StatusBadge status="completed" />}
        {isIdle && (
          <Suspense>
            <CommentsButton recordId={record.id} questions={questions} />
          </Suspense>
        )}
        <RecordMenu {...{ record, fields, questions, annotator }} onFindSimilar={isSmall ? find : null} />
      </div>
      {notice}
      <RecordFields
        key={record.id}
        folds
        record={record}
        fields={fields}
        questions={screen.questions}
        answers={screen.answers}
        search={search}
        sharedOf={screen.sharedOf}
        onAnswer={screen.onAnswer}
        onFocusQuestion={screen.onFocusQuestion}
      />
      {dialog}
    </section>
  )
}
