from django.urls import path

from judging.tables import agreement_views, history_views, judge_views, views
from judging.tables.api import cards, judging, people, rooms
from judging.tables.api import conduct as conduct_api
from judging.tables.api import drafts as drafting
from judging.tables.archive import views as archive
from judging.tables.away import views as away
from judging.tables.cards import views as card_views
from judging.tables.conduct import views as conduct
from judging.tables.drafts import views as drafts
from judging.tables.proof import views as proof
from judging.tables.talk import views as talk

TABLE = "tables/<slug:table>"

urlpatterns = [
    path("tables/", views.tables, name="tables"),
    path("tables/new/", views.new, name="table-new"),
    path("tables/decks/", card_views.my_decks, name="table-decks"),
    path("tables/decks/new/", card_views.new_deck, name="table-deck-new"),
    path("tables/decks/<int:deck_id>/", card_views.deck, name="table-deck"),
    path("tables/lists/", card_views.all_lists, name="table-lists"),
    path("tables/lists/new/", card_views.upload_list, name="table-list-new"),
    path("tables/lists/<int:list_id>/", card_views.one_list, name="table-list"),
    path("tables/rulings/<slug:game>/", judge_views.rulings, name="table-rulings"),
    path(f"{TABLE}/judges/", judge_views.desk, name="table-desk"),
    path(f"{TABLE}/judges/name/", judge_views.name, name="table-judges"),
    path(f"{TABLE}/verify/", proof.verify, name="table-verify"),
    path(f"{TABLE}/proof/", proof.file, name="table-proof"),
    path(f"{TABLE}/people/", away.people, name="table-people"),
    path(f"{TABLE}/talk/", talk.talk, name="table-talk"),
    path(f"{TABLE}/conduct/", conduct.conduct, name="table-conduct"),
    path(f"{TABLE}/appeals/new/", conduct.new, name="table-appeal-new"),
    path(f"{TABLE}/appeals/<int:number>/", conduct.appeal, name="table-appeal"),
    path(f"{TABLE}/plays-by/", agreement_views.plays_by, name="table-plays-by"),
    path(f"{TABLE}/agreements/", agreement_views.agreements, name="table-agreements"),
    path(f"{TABLE}/agreements/offer/", agreement_views.offer, name="table-offer"),
    path(f"{TABLE}/export/", archive.export, name="table-export"),
    path(f"{TABLE}/ask/", judge_views.ask, name="table-ask"),
    path(f"{TABLE}/", views.table, name="table"),
    path(f"{TABLE}/news/", views.news, name="table-news"),
    path(f"{TABLE}/entries/", history_views.entries, name="table-entries"),
    path(f"{TABLE}/entries/<int:n>/", history_views.entry, name="table-entry"),
    path(f"{TABLE}/entries/<int:n>/back/", history_views.back, name="table-back"),
    path(f"{TABLE}/look/", history_views.look, name="table-look"),
    path(f"{TABLE}/draft/", drafts.draft, name="table-draft"),
    path(f"{TABLE}/sit/", views.sit, name="table-sit"),
    path(f"{TABLE}/cut/", views.cut, name="table-cut"),
    path(f"{TABLE}/give-up/", views.give_up, name="table-give-up"),
]

api_urlpatterns = [
    path("tables/", rooms.Tables.as_view(), name="api-tables"),
    path("tables/formats/", rooms.Formats.as_view(), name="api-table-formats"),
    path("tables/decks/", cards.Decks.as_view(), name="api-table-decks"),
    path("tables/decks/check/", cards.DeckChecks.as_view(), name="api-table-deck-check"),
    path("tables/decks/<int:deck_id>/", cards.OneDeck.as_view(), name="api-table-deck"),
    path("tables/lists/", cards.Lists.as_view(), name="api-table-lists"),
    path("tables/lists/check/", cards.ListChecks.as_view(), name="api-table-list-check"),
    path("tables/lists/<int:list_id>/", cards.OneList.as_view(), name="api-table-list"),
    path("tables/rulings/<slug:game>/", judging.Precedents.as_view(), name="api-table-precedents"),
    path(f"{TABLE}/", rooms.OneTable.as_view(), name="api-table"),
    path(f"{TABLE}/seats/", rooms.TableSeats.as_view(), name="api-table-seats"),
    path(f"{TABLE}/word/", rooms.TableWord.as_view(), name="api-table-word"),
    path(f"{TABLE}/draft/", drafting.TableDrafts.as_view(), name="api-table-draft"),
    path(f"{TABLE}/draft/picks/", drafting.DraftPicks.as_view(), name="api-table-draft-picks"),
    path(f"{TABLE}/draft/wishes/", drafting.DraftWishes.as_view(), name="api-table-draft-wishes"),
    path(f"{TABLE}/draft/deck/", drafting.DraftDecks.as_view(), name="api-table-draft-deck"),
    path(f"{TABLE}/reach/<int:number>/", drafting.TableReach.as_view(), name="api-table-reach"),
    path(f"{TABLE}/agreements/", drafting.TableAgreed.as_view(), name="api-table-agreements"),
    path(f"{TABLE}/agreements/offer/", drafting.AgreementOffers.as_view(), name="api-table-offer"),
    path(f"{TABLE}/entries/", rooms.TableEntries.as_view(), name="api-table-entries"),
    path(f"{TABLE}/read/", rooms.TableReadings.as_view(), name="api-table-read"),
    path(f"{TABLE}/proof/", rooms.TableProof.as_view(), name="api-table-proof"),
    path(f"{TABLE}/verify/", rooms.TableVerified.as_view(), name="api-table-verify"),
    path(f"{TABLE}/judges/", judging.TableJudges.as_view(), name="api-table-judges"),
    path(f"{TABLE}/judges/<int:judge_id>/", judging.OneTableJudge.as_view(), name="api-table-judge"),
    path(f"{TABLE}/judges/proposals/<int:proposal_id>/", judging.JudgeProposals.as_view(), name="api-table-proposal"),
    path(f"{TABLE}/question/", judging.TableQuestion.as_view(), name="api-table-question"),
    path(f"{TABLE}/rulings/", judging.TableRulings.as_view(), name="api-table-rulings"),
    path(f"{TABLE}/rulings/try/", judging.TableTrials.as_view(), name="api-table-trial"),
    path(f"{TABLE}/people/", people.TablePeople.as_view(), name="api-table-people"),
    path(f"{TABLE}/hours/", people.TableHours.as_view(), name="api-table-hours"),
    path(f"{TABLE}/leaves/", people.TableLeaves.as_view(), name="api-table-leaves"),
    path(f"{TABLE}/leaves/<int:leave_id>/", people.OneTableLeave.as_view(), name="api-table-leave"),
    path(f"{TABLE}/absence/", people.TableChoice.as_view(), name="api-table-absence"),
    path(f"{TABLE}/time/", people.TableTime.as_view(), name="api-table-time"),
    path(f"{TABLE}/substitute/", people.TableSubstitute.as_view(), name="api-table-substitute"),
    path(f"{TABLE}/talk/", people.TableTalk.as_view(), name="api-table-talk"),
    path(f"{TABLE}/talk/<int:number>/", people.TableMessageOne.as_view(), name="api-table-message"),
    path(f"{TABLE}/talk/<int:number>/report/", people.TableMessageReport.as_view(), name="api-table-message-report"),
    path(f"{TABLE}/talk/<int:number>/block/", people.TableMessageBlock.as_view(), name="api-table-message-block"),
    path(f"{TABLE}/reports/<int:report_id>/", people.TableReportOne.as_view(), name="api-table-report"),
    path(f"{TABLE}/conduct/", conduct_api.TableConduct.as_view(), name="api-table-conduct"),
    path(f"{TABLE}/sanctions/", conduct_api.TableSanctions.as_view(), name="api-table-sanctions"),
    path(f"{TABLE}/sanctions/<int:number>/lift/", conduct_api.TableSanctionLift.as_view(), name="api-table-lift"),
    path(f"{TABLE}/appeals/", conduct_api.TableAppeals.as_view(), name="api-table-appeals"),
    path(f"{TABLE}/appeals/<int:number>/", conduct_api.OneTableAppeal.as_view(), name="api-table-appeal"),
    path(f"{TABLE}/appeals/<int:number>/answer/", conduct_api.TableAppealAnswer.as_view(), name="api-table-answer"),
    path(f"{TABLE}/entries/<int:n>/back/", conduct_api.TableBack.as_view(), name="api-table-back"),
    path(f"{TABLE}/look/", conduct_api.TableLook.as_view(), name="api-table-look"),
]
