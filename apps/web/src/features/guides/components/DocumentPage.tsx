import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { Markdown } from '#lib/markdown/Markdown.tsx'
import { loadFile } from '#lib/net/load-file.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { isDocument, joinLines, loadDocument, splitTitle, withPageLinks } from '../documents.ts'
import styles from './DocumentPage.module.css'

const route = getRouteApi('/inside/guides/$document')

/** A page of the documentation of this version. */
export const DocumentPage = () => {
  const { t } = useTranslation('features/guides')
  const { document: name } = route.useParams()
  if (!isDocument(name)) throw notFound()
  const label = t(`docs.page.${name}`)
  useDocumentTitle(label)
  const { data, error } = useQuery({
    queryKey: ['document', name],
    queryFn: () => loadFile(() => loadDocument(name)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const page = useMemo(() => {
    if (data === undefined) return null
    const { title, text } = splitTitle(data)
    return { title, text: withPageLinks(joinLines(text), (other) => `${location.origin}${href(`/guides/${other}`)}`) }
  }, [data])
  if (error) throw error
  const crumbs = [
    { label: t('title'), link: { to: '/guides' } },
    { label, link: { to: '/guides/$document', params: { document: name } } },
  ] as const
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={page === null}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <HeaderContent crumbs={<Crumbs crumbs={crumbs} />} />
      {page === null ? (
        <Skeleton height="12lh" />
      ) : (
        <article lang="en">
          {/* The headings of Markdown start at level 3. */}
          <h2 className={styles['title']}>{page.title}</h2>
          <Markdown text={page.text} />
        </article>
      )}
    </main>
  )
}
