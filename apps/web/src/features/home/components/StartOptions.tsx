import type { Home } from '@postil/contract/home.ts'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { HubStart } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { PythonCode } from '#lib/PythonCode.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { ExampleList } from './ExampleList.tsx'
import styles from './StartOptions.module.css'

/** Ways to start a dataset other than the form. Collapsed, because most visitors come to annotate. */
export const StartOptions = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const user = useUser()
  return (
    <div className={styles['starts']}>
      <StartOption title={t('fromHub')}>
        <HubStart />
      </StartOption>
      <StartOption title={t('fromPython')}>
        <p className={styles['hint']}>{t('pythonKey')}</p>
        <PythonCode label={t('pythonExample')} user={user} workspaces={home.workspaces} />
      </StartOption>
      <StartOption title={t('fromExample')}>
        <VisuallyHidden>
          <h2>{t('fromExample')}</h2>
        </VisuallyHidden>
        <ExampleList home={home} />
      </StartOption>
    </div>
  )
}

/** The content is rendered when the section opens. */
const StartOption = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles['start']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}
