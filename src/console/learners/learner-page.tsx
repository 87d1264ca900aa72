import { useQuery } from "@connectrpc/connect-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { capitalized } from "#foundation/text/capitalized.js";
import {
  type EraseLearnerResponse,
  type GetLearnerResponse,
  type LearnerContext,
  LearnerDifference,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { Button } from "../components/button.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useMay } from "../components/use-may.js";
import { CredentialTable } from "../credentials/credential-table.js";
import type { ConsoleWording } from "../i18n/load-chapter.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { Corrections } from "../names/corrections.js";
import { RecordOwner } from "../names/record-owner.js";
import { useMayCorrect } from "../names/use-may-correct.js";
import type { OtherEntry } from "../requirements/steps-of-learner.js";
import { EligibilityLine } from "./eligibility-line.js";
import { LearnerRecord } from "./learner-record.js";
import { OtherwiseNamed } from "./otherwise-named.js";

const CorrectNameDialog = lazily(() => import("../names/correct-dialog.js"), "CorrectNameDialog");
const CorrectEmailDialog = lazily(() => import("../names/correct-dialog.js"), "CorrectEmailDialog");
const IssueToDialog = lazily(() => import("./issue-to-dialog.js"), "IssueToDialog");
const EraseDialog = lazily(() => import("./erase-dialog.js"), "EraseDialog");
const ErasedReceipt = lazily(() => import("./erase-dialog.js"), "ErasedReceipt");

export function LearnerPage() {
  const { shell } = useWords();
  const { username } = useParams({ from: "/learners/$username" });
  const { data, error, refetch } = useQuery(LearnerRecordService.method.getLearner, { username });
  if (data) return <Shown key={username} found={data} />;
  if (!error) return <section className="page" aria-busy="true" />;
  return (
    <section className="page">
      <PageTitle title={shell.learners} />
      <Failure error={error} onRetry={() => void refetch()} />
    </section>
  );
}

type OpenDialog = "correct" | "correct-email" | "erase" | "issue";

function Shown({ found }: { readonly found: GetLearnerResponse }) {
  const { learners: words, shell } = useWords();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const [configurationId, setConfigurationId] = useState<number>();
  const [receipt, setReceipt] = useState<EraseLearnerResponse>();
  const close = () => setOpenDialog(undefined);
  function issue(id: number | undefined) {
    setConfigurationId(id);
    setOpenDialog("issue");
  }
  const { username, learner, contexts, credentials } = found;
  const entries = contexts.flatMap(({ learningContextKey, eligibility }) =>
    eligibility.flatMap(({ configurationId, eligibility: entry }) =>
      entry ? [{ learningContextKey, configurationId, entry }] : [],
    ),
  );
  if (receipt) return <ErasedReceipt of={receipt} />;
  return (
    <section className="page">
      <LearnerHead found={found} onIssue={() => issue(undefined)} onOpen={setOpenDialog} />
      {!learner && <p className="notice notice-warn">{words.noRecord}</p>}
      {learner && (
        <p className="small faint">
          <RecordOwner owner={found.owner} />
        </p>
      )}
      <Corrections found={found} />
      {found.clashes.map((clash) => (
        <p key={clash.connector} className="notice notice-warn">
          {words.clash({
            connector: clash.connector,
            what: clash.differs.map((what) => differenceIn(words, what)).join(SEPARATOR),
          })}
        </p>
      ))}
      <h2>{shell.credentials}</h2>
      {learner && <OtherwiseNamed credentials={credentials} name={learner.fullName} />}
      {credentials.length === 0 ? <p>{words.noCredentials}</p> : <CredentialTable rows={credentials} />}
      {credentials.length > 0 && (
        <p className="subtitle">
          {found.hasMoreCredentials && (
            <Link to="/credentials" search={{ username }}>
              {words.allCredentials}
            </Link>
          )}
          <Link to="/emails" search={{ learner: username }}>
            {shell.emails}
          </Link>
        </p>
      )}
      {credentials.some((each) => each.hasOpenBadge) && <LearnerRecord username={username} />}
      <h2>{shell.contexts}</h2>
      {contexts.length === 0 && <p>{words.noContexts}</p>}
      <div className="cards">
        {contexts.map((context) => (
          <ContextCard
            key={context.learningContextKey}
            context={context}
            entries={entries}
            onIssue={learner && issue}
          />
        ))}
      </div>
      {found.hasMoreContexts && <p className="small faint">{words.moreContexts}</p>}
      {openDialog === "correct" && <CorrectNameDialog found={found} onClose={close} />}
      {openDialog === "correct-email" && <CorrectEmailDialog found={found} onClose={close} />}
      {openDialog === "issue" && learner && (
        <IssueToDialog learner={learner} configurationId={configurationId} onClose={close} />
      )}
      {openDialog === "erase" && <EraseDialog username={username} onErased={setReceipt} onClose={close} />}
    </section>
  );
}

function LearnerHead({
  found: { username, learner },
  onIssue,
  onOpen,
}: {
  readonly found: GetLearnerResponse;
  readonly onIssue: () => void;
  readonly onOpen: (dialog: OpenDialog) => void;
}) {
  const { learners: words, shell } = useWords();
  const nameWords = useChapter("names");
  const may = useMay();
  const whyNotCorrect = useMayCorrect();
  const name = learner?.fullName || username;
  return (
    <div className="page-head">
      <div>
        <p className="crumbs">
          <Link to="/learners">{shell.learners}</Link>
        </p>
        <PageTitle title={name}>
          <bdi>{name}</bdi>
        </PageTitle>
        <p className="subtitle">
          {name !== username && <bdi>{username}</bdi>}
          {learner?.email && <bdi>{learner.email}</bdi>}
        </p>
      </div>
      <div className="actions">
        {learner && (
          <Button variant="primary" why={may("registrar")} onPress={onIssue}>
            {nameWords.issueOne}
          </Button>
        )}
        {learner && (
          <Button why={whyNotCorrect} onPress={() => onOpen("correct")}>
            {nameWords.correct}
          </Button>
        )}
        {learner && (
          <Button why={whyNotCorrect} onPress={() => onOpen("correct-email")}>
            {nameWords.correctEmail}
          </Button>
        )}
        <Button className="button-warning" why={may("admin")} onPress={() => onOpen("erase")}>
          {words.erase}
        </Button>
      </div>
    </div>
  );
}

const SEPARATOR = " · ";

function differenceIn({ differs }: ConsoleWording["learners"], what: LearnerDifference): string {
  const { name, address, active, retired } = differs;
  return { NAME: name, EMAIL: address, ACTIVE: active, RETIRED: retired, UNSPECIFIED: "" }[
    LearnerDifference[what] as keyof typeof LearnerDifference
  ];
}

function ContextCard({
  context,
  entries,
  onIssue,
}: {
  readonly context: LearnerContext;
  readonly entries: readonly OtherEntry[];
  /** Opens the dialog for issuing; undefined if the learner has no record. */
  readonly onIssue: ((configurationId: number) => void) | undefined;
}) {
  const nameWords = useChapter("names");
  const why = useMay()("registrar");
  const { learners: words } = useWords();
  const { percent } = useFormats();
  const { learningContextKey, displayName, isEnrolled, courses, eligibility } = context;
  return (
    <section className="card padded stack">
      <div>
        <h3>
          <bdi>{displayName || learningContextKey}</bdi>
        </h3>
        <span className="second">
          <code dir="ltr">{learningContextKey}</code>
        </span>
        {!isEnrolled && <p className="small">{words.notEnrolled}</p>}
      </div>
      {courses.map((course) => (
        <dl key={course.courseKey} className="grades">
          {courses.length > 1 && (
            <Fact label={words.course}>
              <code>{course.courseKey}</code>
            </Fact>
          )}
          <Fact label={words.completion}>{percent(course.completion)}</Fact>
          {course.grades.map(({ key, value }) => (
            <Fact key={key} label={key === "total" ? words.total : <bdi>{capitalized(key)}</bdi>}>
              {percent(value / 100)}
            </Fact>
          ))}
        </dl>
      ))}
      {eligibility.map(
        ({ configurationId, eligibility: entry }) =>
          entry && (
            <div key={configurationId}>
              <EligibilityLine entry={entry} contextKey={learningContextKey} others={entries} />
              {onIssue && !entry.existingCredential && entry.isEligible && (
                <Button
                  why={why}
                  aria-label={`${nameWords.issueOne} ${entry.name}`}
                  onPress={() => onIssue(configurationId)}
                >
                  {nameWords.issueOne}
                </Button>
              )}
            </div>
          ),
      )}
    </section>
  );
}
