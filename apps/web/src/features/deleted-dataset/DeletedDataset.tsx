import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '#features/auth/public.ts'
import { removeFromHome } from '#features/home/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { device } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { useCopyText } from '#ui/feedback/use-copy-text.ts'
import styles from '#ui/page/NotePage.module.css'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { unsavedAnswers } from './unsaved-answers.ts'
import { useDeletedBy } from './use-deleted-by.ts'

/** How often the edits on the device are read, in milliseconds. */
const draftsInterval = 1000

type Props = { readonly datasetId: string; readonly name: string }

/** Says that the dataset was deleted, and lets the user copy the answers that only this device has. */
export const DeletedDataset = ({ datasetId, name }: Props) => {
  const { t } = useTranslation('features/deleted-dataset')
  const { t: common } = useTranslation()
  const client = useQueryClient()
  const { id: userId } = useUser()
  const title = t('title', { name })
  useDocumentTitle(title)
  useEffect(() => {
    removeFromHome(client, datasetId)
    announce(title, 'assertive')
  }, [client, datasetId, title])
  const { data: drafts = [] } = useQuery({
    queryKey: ['unsaved-edits', datasetId],
    queryFn: async () => (await device()).drafts(userId, datasetId),
    // The last edit may be stored after the panel appears.
    refetchInterval: draftsInterval,
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
  const deletedBy = useDeletedBy(datasetId, 'datasets.delete')
  const copyText = useCopyText()
  const lines = [...useOutbox().lines.values()].filter((line) => line.dataset_id === datasetId)
  const answers = unsavedAnswers(lines, drafts)
  const count = { count: answers.length, formatted: formatCount(answers.length) }
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <div className={styles['note']}>
        <h1 className={styles['title']}>{title}</h1>
        <p className={styles['hint']}>
          {deletedBy === null ? t('deleted') : t('deletedBy', { username: deletedBy })}{' '}
          {answers.length > 0 ? t('unsaved', count) : t('nothingUnsaved')}
        </p>
        <div className={styles['actions']}>
          {answers.length > 0 && (
            <Button
              look="primary"
              size="main"
              onClick={() => void copyText(JSON.stringify(answers, null, 2), t('copied', count))}
            >
              {t('copy', count)}
            </Button>
          )}
          <Link to="/" replace className={styles['home']} data-look={answers.length > 0 ? 'plain' : 'primary'}>
            {common('error.backHome')}
          </Link>
        </div>
      </div>
    </main>
  )
}
