import { Suspense, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldViewProps } from '../define.ts'
import { LazyMarkdown } from '../shared/LazyMarkdown.tsx'
import { PlainText } from '../shared/PlainText.tsx'
import { looksLikeHtml } from './looks-like-html.ts'
import styles from './View.module.css'

const HtmlText = lazyPart(() => import('./HtmlText.tsx').then((module) => ({ default: module.HtmlText })))

export const TextView = ({ field, value, search }: FieldViewProps<'text'>) => {
  const { t } = useTranslation('field-types/text')
  const [showsSource, setShowsSource] = useState(false)
  const text = String(value)
  if (field.settings.use_markdown) return <LazyMarkdown text={text} search={search} />
  if (!looksLikeHtml(text)) return <PlainText text={text} search={search} />
  return (
    <>
      {showsSource ? (
        <PlainText text={text} search={search} />
      ) : (
        <Suspense fallback={<PlainText text={text} search={null} />}>
          <HtmlText html={text} title={field.title} search={search} />
        </Suspense>
      )}
      <button type="button" className={styles['toggle']} onClick={() => setShowsSource(!showsSource)}>
        {showsSource ? t('showRendered') : t('showSource')}
      </button>
    </>
  )
}
