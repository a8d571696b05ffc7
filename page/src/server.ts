// The server, asked: addresses are relative, because the page lives in a folder with a secret name.

import type { Contents, DecisionAnswer } from "./types";

/** The server is there and says no, for good: asking again would not help. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words);
  }
}

async function ask(path: string, request: RequestInit = {}): Promise<Response> {
  const answer = await fetch(`./api/${path}`, { ...request, credentials: "same-origin", cache: "no-store" });
  if (answer.status >= 500) throw new Error(`the server failed (${answer.status})`);
  return answer;
}

export async function contents(id: number): Promise<Contents> {
  const answer = await ask(`reviews/${id}`);
  if (!answer.ok) throw new Refused(answer.status, await answer.text());
  return (await answer.json()) as Contents;
}

export async function message(stream: number, number: number): Promise<string> {
  const answer = await ask(`log/${stream}/${number}`);
  if (!answer.ok) throw new Refused(answer.status, await answer.text());
  return answer.text();
}

export interface Decision {
  run: string;
  word: string;
  id: number;
  accept: boolean;
  contents?: string;
}

/** Sends a decision. Sent again under the same word, it counts once and is answered the same. */
export async function decide(decision: Decision): Promise<DecisionAnswer> {
  const { id, ...body } = decision;
  const answer = await ask(`reviews/${id}/decision`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok || answer.status === 409 || answer.status === 404) return (await answer.json()) as DecisionAnswer;
  throw new Refused(answer.status, await answer.text());
}

/** Whether the server still knows us; throws when it cannot be reached. */
export async function welcome(): Promise<boolean> {
  const answer = await fetch("./", { credentials: "same-origin", cache: "no-store" });
  return answer.status !== 401 && answer.status !== 403;
}
