import type { Page } from 'playwright-core'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'
import { inAnyLanguage, type Screen } from './screen.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const asOwner = (path: string, ready: Screen['ready']): Screen => ({ path, who: 'owner', ready })

const ANNOTATION = '/dataset/:everything/annotation-mode'
const annotationScreenReady = async (page: Page): Promise<void> => {
  await page.getByText('The committee met').first().waitFor()
  await waitForKeyFocus(page)
}

/** A dialog about a user in the list of users. */
const userDialogScreen = (item: number): Screen =>
  asOwner('/administration', async (page) => {
    await page.locator('main section li', { hasText: 'grace' }).locator('button[aria-haspopup=menu]').click()
    await page.locator('[role=menu]:popover-open [role=menuitem]').nth(item).click()
    await dialog(page).waitFor()
    await page.locator('dialog[open] [aria-busy=true]').waitFor({ state: 'detached' })
  })

// A form with unsaved changes asks before it is left, so the next screen reloads the page.
const leaveDialogScreen = (path: string, ready: Screen['ready']): Screen => ({
  path,
  who: 'owner',
  isAlone: true,
  ready: async (page) => {
    await ready(page)
    await page.locator('header a').first().click()
    await dialog(page).waitFor()
  },
})

/** Dialogs that open over a screen. */
export const dialogScreens: { readonly [name: string]: Screen } = {
  'annotation, the shortcuts': asOwner(ANNOTATION, async (page) => {
    await annotationScreenReady(page)
    await page.locator('[data-question]:focus').waitFor()
    await page.keyboard.press('?')
    await dialog(page).locator('kbd').first().waitFor()
  }),
  'annotation, the metadata of a record': asOwner('/dataset/:filterable/annotation-mode', async (page) => {
    await page.locator('section[data-status] button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem').first().click()
    await dialog(page).locator('table').first().waitFor()
  }),
  'annotation, the guidelines': asOwner(ANNOTATION, async (page) => {
    await annotationScreenReady(page)
    const tools = page.getByRole('button', { name: inAnyLanguage('features/annotate:toolbar.tools') })
    // On a phone, the guidelines are behind a button.
    if (await tools.isVisible()) await tools.click()
    await page
      .getByRole('button', { name: inAnyLanguage('features/annotate:guidelines.title') })
      .first()
      .click()
    await page.locator('#guidelines, dialog:has(h2)').first().waitFor()
  }),
  'annotation, my active time': asOwner(ANNOTATION, async (page) => {
    await annotationScreenReady(page)
    await page.getByRole('button', { name: inAnyLanguage('features/annotate:time.title') }).click()
    await dialog(page).locator('p').first().waitFor()
  }),
  'my settings, a new key': asOwner('/user-settings', async (page) => {
    await page.locator('main').getByText(inAnyLanguage('features/profile:newKey')).click()
    await dialog(page).waitFor()
  }),
  'administration, the names of a user': userDialogScreen(0),
  'administration, the workspaces of a user': userDialogScreen(1),
  'administration, the password of a user': userDialogScreen(2),
  'administration, a reset link for a user': userDialogScreen(3),
  'administration, the deletion of a user': userDialogScreen(7),
  'dataset settings, unsaved changes': leaveDialogScreen('/dataset/:everything/settings?tab=fields', async (page) => {
    await page.locator('main form input').first().fill('Another title')
    await page.locator('main form[data-changed]').waitFor()
  }),
  'a new dataset, unsaved changes': leaveDialogScreen('/new', async (page) => {
    await page.locator('[aria-labelledby=start-nothing] button').click()
    await page.locator('[data-add=fields]').click()
    await page.getByRole('menuitem').first().click()
    await page.locator('main li[data-part]').first().waitFor()
  }),
}
