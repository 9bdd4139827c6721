import type { Home } from '@postil/contract/home.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Suspense, useId } from 'react'
import { settingsQuery, useUser } from '#features/auth/public.ts'
import { loadMentionList } from '#features/comments/public.ts'
import { GuideTopics } from '#features/guides/public.ts'
import { HubStart } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { DemoEntry } from './DemoEntry.tsx'
import { ExampleList } from './ExampleList.tsx'
import styles from './HomeSidebar.module.css'

const MentionList = lazyPart(async () => ({ default: await loadMentionList() }))

type Props = { readonly home: Home; readonly canCreate: boolean }

/**
 * The parts of the home page that are less urgent than the datasets: imports, examples and guides. On narrow screens, they follow
 * the list.
 */
export const HomeSidebar = ({ home, canCreate }: Props) => {
  const { t } = useTranslation('features/home')
  const { username } = useUser()
  const { demo } = useQuery(settingsQuery()).data ?? {}
  return (
    <aside className={styles['sidebar']} aria-label={t('sidebar')}>
      <Suspense>
        <MentionList />
      </Suspense>
      {canCreate && (
        <>
          <Section title={t('fromHub')}>
            <HubStart isNarrow />
          </Section>
          <Section title={t('fromExample')}>
            <ExampleList home={home} isNarrow />
          </Section>
        </>
      )}
      {demo && demo.username !== username && (
        <Section title={t('demo.title')}>
          <DemoEntry username={demo.username} />
        </Section>
      )}
      <Section title={t('guides')}>
        <Suspense fallback={<Skeleton height="8lh" />}>
          <GuideTopics />
        </Suspense>
      </Section>
    </aside>
  )
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      {children}
    </section>
  )
}
