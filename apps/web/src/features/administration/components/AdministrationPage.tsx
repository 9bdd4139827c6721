import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMemo, useRef } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { useClearSuccess } from '#ui/feedback/success-toast.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { useRestoreFocus } from '#ui/page/use-restore-focus.ts'
import { administrationCalls } from '../api.ts'
import type { Section } from '../sections.ts'
import { readSection, sectionsOf } from '../sections.ts'
import styles from './AdministrationPage.module.css'
import { AuditSection } from './audit/AuditSection.tsx'
import { JobsSection } from './jobs/JobsSection.tsx'
import { InstanceSection } from './server/InstanceSection.tsx'
import { ProvidersSection } from './server/ProvidersSection.tsx'
import { MembersSection } from './users/MembersSection.tsx'
import { UsersSection } from './users/UsersSection.tsx'
import { WebhooksSection } from './webhooks/WebhooksSection.tsx'
import { WorkspacesSection } from './workspaces/WorkspacesSection.tsx'

const route = getRouteApi('/inside/administration')

/**
 * For owners: users, workspaces, webhooks and the state of the server. For admins: the members of their workspaces. Annotators
 * get a "not found" page.
 */
export const AdministrationPage = () => {
  const { t } = useTranslation('features/administration')
  const user = useUser()
  const client = useQueryClient()
  const calls = useMemo(() => administrationCalls(client), [client])
  const current = readSection(route.useSearch().tab, user.role)
  const sections = sectionsOf(user.role)
  const title = user.role === 'owner' ? t('title') : t('section.members')
  useDocumentTitle(...(current === undefined || sections.length === 1 ? [] : [t(`section.${current}`)]), title)
  useClearSuccess(current ?? '')
  const part = useRef<HTMLElement>(null)
  useRestoreFocus(part)
  if (current === undefined) throw notFound()
  const parts: { readonly [S in Section]: () => ReactNode } = {
    users: () => <UsersSection calls={calls} me={user} />,
    members: () => <MembersSection calls={calls} me={user} />,
    workspaces: () => <WorkspacesSection calls={calls} />,
    webhooks: () => <WebhooksSection />,
    providers: () => <ProvidersSection />,
    jobs: () => <JobsSection />,
    instance: () => <InstanceSection />,
    audit: () => <AuditSection />,
  }
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <HeaderContent crumbs={<Crumbs crumbs={[{ label: title, link: { to: '/administration' } }]} />} />
      <h1 className={styles['title']}>{title}</h1>
      {sections.length > 1 && (
        <nav aria-label={t('sections')} className={styles['nav']}>
          <ul>
            {sections.map((section) => (
              <li key={section}>
                <Link
                  to="/administration"
                  search={{ tab: section }}
                  replace
                  className={styles['navLink']}
                  activeProps={{}}
                  aria-current={section === current ? 'page' : undefined}
                >
                  {t(`section.${section}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <section ref={part} tabIndex={-1} aria-labelledby="section-title">
        {parts[current]()}
      </section>
    </main>
  )
}
