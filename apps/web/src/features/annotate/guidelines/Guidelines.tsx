import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import styles from './Guidelines.module.css'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

type Props = { readonly text: string | null; readonly onClose: () => void }

export const GuidelinesText = ({ text }: Pick<Props, 'text'>) => {
  const { t } = useTranslation('features/annotate')
  if (!text) return <p className={styles['none']}>{t('guidelines.none')}</p>
  return (
    <Suspense fallback={<Skeleton height="4lh" />}>
      <Markdown text={text} />
    </Suspense>
  )
}

/** The dataset's guidelines in a panel next to the record. */
export const Guidelines = ({ text, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    <section id="guidelines" className={styles['panel']} aria-labelledby="guidelines-title">
      <div className={styles['head']}>
        <h2 id="guidelines-title" className={styles['title']}>
          {t('guidelines.title')}
        </h2>
        <IconButton icon={CloseIcon} label={t('guidelines.close')} onClick={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: the group contains no inputs */}
      <div className={styles['text']} tabIndex={0} role="group" aria-labelledby="guidelines-title">
        <GuidelinesText text={text} />
      </div>
    </section>
  )
}
