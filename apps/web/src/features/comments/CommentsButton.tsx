import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOnline } from '#lib/net/connection.ts'
import { Button } from '#ui/controls/Button.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { CommentIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { commentsQuery } from './api.ts'
import styles from './CommentsButton.module.css'
import { mentions, openComments } from './threads.ts'

const CommentsDialog = lazyPart(() => import('./CommentsDialog.tsx').then((module) => ({ default: module.CommentsDialog })), {
  reportsFailure: true,
})

type Props = { readonly recordId: string; readonly questions: readonly Question[] }

/** The delay before comments are counted, in milliseconds. Records that the user only skims cause no requests. */
const countDelay = 400

/** A button that opens the comments on a record. It shows how many comments are in open threads. */
export const CommentsButton = ({ recordId, questions }: Props) => {
  const { t } = useTranslation('features/comments')
  const user = useUser()
  const isOnline = useOnline()
  const [isOpen, setOpen] = useState(false)
  const [shownFor, setShownFor] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setShownFor(recordId), countDelay)
    return () => clearTimeout(timer)
  }, [recordId])
  const { data = [] } = useQuery({ ...commentsQuery(recordId), enabled: isOnline && shownFor === recordId })
  const open = openComments(data)
  const isMentioned = open.some((comment) => mentions(comment, user.id))
  return (
    <>
      <Button
        look="quiet"
        icon={CommentIcon}
        className={styles['open']}
        title={t('title')}
        data-mentioned={isMentioned ? '' : undefined}
        onClick={() => setOpen(true)}
      >
        <VisuallyHidden>{t('title')}</VisuallyHidden>
        {open.length > 0 && formatCount(open.length)}
      </Button>
      {isOpen && (
        <Suspense>
          <CommentsDialog recordId={recordId} questions={questions} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
