/** Settings of the page on the wire. The back end keeps them, so that they outlive a page, a browser and an address. */
import { z } from 'zod';
import { method, nothing } from './method.ts';

const value = z.union([z.boolean(), z.number(), z.string().max(1000)]);
const values = z.record(z.string().max(100), value);

export const pageSettings = z.object({
  /** For this user, in every workspace. */
  user: values,
  /** For this user in this workspace. */
  workspace: values,
  /** Keys that the user gave to commands, by command. */
  keys: z.record(z.string().max(100), z.array(z.string().max(60)).max(4)),
  /** Tabs and panels of the last page, as that page wrote them. */
  layout: z.string().max(200_000).optional(),
});

export const settingMethods = {
  /** Without a value the setting has its default again. */
  'setting.set': method(
    z.object({
      scope: z.enum(['user', 'workspace']),
      key: z.string().min(1).max(100),
      value: value.optional(),
    }),
    nothing,
  ),
  /** Without keys the command has its own again. */
  'setting.setKeys': method(
    z.object({
      command: z.string().min(1).max(100),
      keys: z.array(z.string().max(60)).max(4).optional(),
    }),
    nothing,
  ),
  'setting.setLayout': method(z.object({ layout: z.string().max(200_000) }), nothing),
} as const;

export const settingEvents = [
  z.object({ kind: z.literal('setting.changed'), settings: pageSettings.omit({ layout: true }) }),
] as const;

export const settingSnapshot = z.object({ settings: pageSettings.optional() });
