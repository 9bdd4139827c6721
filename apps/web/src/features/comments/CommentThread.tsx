import type { Comment } from '@postil/contract/comments.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { addComment, changeComment, removeComment } from './api.ts'
import styles from './Comments.module.css'
import { Composer } from './Composer.tsx'
import { isOpen, mentions, type Thread } from './threads.ts'

type Props = {
  readonly thread: Thread
  readonly questions: readonly Question[]
  /** Runs a change, then loads the comments again. Rejects if the change fails. */
  readonly change: (work: () => Promise<unknown>) => Promise<void>
  /** Like `change`, but shows an error instead of rejecting. */
  readonly attempt: (work: () => Promise<unknown>) => void
}

/** A comment with its replies. */
export const CommentThread = ({ thread, questions, change, attempt }: Props) => {
  const { t } = useTranslation('features/comments')
  const { first, replies } = thread
  const [isReplying, setReplying] = useState(false)
  const [isUnfolded, setUnfolded] = useState(false)
  const shared = { questions, change, attempt }
  const resolved = first.resolved
  return (
    <li className={styles['thread']} data-resolved={resolved ? '' : undefined}>
      {resolved && (
        <p className={styles['note']}>
          {t('resolvedBy', { name: resolved.by.username ?? t('formerUser'), time: formatDateTime(resolved.at) })}{' '}
          <Button look="quiet" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? t('hide') : t('show')}
          </Button>
        </p>
      )}
      {(isOpen(thread) || isUnfolded) && (
        <>
          <CommentText comment={first} {...shared} />
          {replies.length > 0 && (
            <ol className={styles['replies']}>
              {replies.map((reply) => (
                <li key={reply.id}>
                  <CommentText comment={reply} {...shared} />
                </li>
              ))}
            </ol>
          )}
          {isReplying ? (
            <Composer
              label={t('reply')}
              action={t('reply')}
              onCancel={() => setReplying(false)}
              onSend={async (text) => {
                await change(() => addComment(first.record_id, { text, parent: first.id }))
                setReplying(false)
              }}
            />
          ) : (
            <div className={styles['tools']}>
              <Button look="quiet" onClick={() => setReplying(true)}>
                {t('reply')}
              </Button>
              <Button look="quiet" onClick={() => attempt(() => changeComment(first, { resolved: resolved === null }))}>
                {resolved ? t('reopen') : t('resolve')}
              </Button>
            </div>
          )}
        </>
      )}
    </li>
  )
}

type TextProps = Omit<Props, 'thread'> & { readonly comment: Comment }

const CommentText = ({ comment, questions, change, attempt }: TextProps) => {
  const { t } = useTranslation('features/comments')
  const user = useUser()
  const [isEditing, setEditing] = useState(false)
  const { by, text, about, edited_at, inserted_at } = comment
  const question = about?.question ?? null
  const title = questions.find(({ name }) => name === question)?.title ?? question
  if (comment.deleted) return <p className={styles['note']}>{t('deleted')}</p>
  if (isEditing)
    return (
      <Composer
        label={t('edit')}
        action={t('save')}
        initial={text}
        onCancel={() => setEditing(false)}
        onSend={async (changed) => {
          await change(() => changeComment(comment, { text: changed }))
          setEditing(false)
        }}
      />
    )
  return (
    <article className={styles['comment']} data-mentioned={mentions(comment, user.id) ? '' : undefined}>
      <p className={styles['head']}>
        <strong>
          <bdi>{by.username ?? t('formerUser')}</bdi>
        </strong>{' '}
        <span className={styles['time']}>
          {formatDateTime(inserted_at)}
          {edited_at !== null && ` · ${t('edited')}`}
        </span>
        {title !== null && (
          <span className={styles['about']}>
            <bdi>{title}</bdi>
          </span>
        )}
        {about?.response_id != null && <span className={styles['about']}>{t('aboutAnswer')}</span>}
        {about?.span != null && (
          <span className={styles['about']}>
            <bdi>{`${about.span.field} ${about.span.start}–${about.span.end}`}</bdi>
          </span>
        )}
      </p>
      <p className={styles['words']}>
        <bdi>{text}</bdi>
      </p>
      {by.id === user.id && (
        <div className={styles['tools']}>
          <Button look="quiet" onClick={() => setEditing(true)}>
            {t('edit')}
          </Button>
          <Button look="quiet" onClick={() => attempt(() => removeComment(comment))}>
            {t('delete')}
          </Button>
        </div>
      )}
    </article>
  )
}
