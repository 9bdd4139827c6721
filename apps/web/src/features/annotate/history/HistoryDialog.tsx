import type { Field } from '@postil/contract/fields.ts'
import type { HistoryChange } from '@postil/contract/history.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { Annotator } from '../answering/annotator.ts'
import { historyQuery } from '../api.ts'
import { AnswerEntry } from './AnswerEntry.tsx'
import { ChangeEntry } from './ChangeEntry.tsx'
import styles from './HistoryDialog.module.css'
import { useRestore } from './use-restore.ts'

type Props = {
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  readonly onClose: () => void
}

export const HistoryDialog = ({ record, fields, questions, annotator, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const history = useInfiniteQuery(historyQuery(record.id))
  const [first] = history.data?.pages ?? []
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? []
  const users = new Map(history.data?.pages.flatMap((page) => page.users.map(({ id, username }) => [id, username] as const)))
  const nameOf = (id: string | null): string => (id === null ? undefined : users.get(id)) ?? t('history.somebody')
  const { restoring, restore, canRestore, canSeeAll } = useRestore({ record, annotator, current: first?.current ?? [], onClose })

  const entry = (change: HistoryChange) => (
    <ChangeEntry
      key={change.id}
      change={change}
      record={record}
      fields={fields}
      questions={questions}
      nameOf={nameOf}
      restoring={restoring}
      onRestore={canRestore(change) ? () => restore(change) : null}
    />
  )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('history.title')} wide>
      {history.error ? (
        <ProblemNotice error={history.error} />
      ) : !first ? (
        <Skeleton height="9lh" />
      ) : (
        <div className={styles['history']}>
          <section className={styles['part']}>
            <h3 className={styles['title']}>{t('history.now')}</h3>
            {first.current.length === 0 && (
              <p className={styles['none']}>{canSeeAll ? t('history.noAnswer') : t('history.noOwnAnswer')}</p>
            )}
            {first.current.map((answer) => (
              <AnswerEntry
                key={answer.id}
                answer={answer}
                author={nameOf(answer.user_id)}
                record={record}
                questions={questions}
              />
            ))}
          </section>
          <section className={styles['part']}>
            <h3 className={styles['title']}>{t('history.before')}</h3>
            {changes.length === 0 ? (
              <p className={styles['none']}>{t('history.none')}</p>
            ) : (
              <ol className={styles['list']}>{changes.map(entry)}</ol>
            )}
            {history.hasNextPage && (
              <Button look="quiet" disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                {t('history.more')}
              </Button>
            )}
          </section>
        </div>
      )}
    </Dialog>
  )
}
