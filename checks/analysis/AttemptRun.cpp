//===--- AttemptRun.cpp ---------------------------------------------------===//

#include "AttemptRun.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace async_tidy {

static constexpr unsigned MaxPaths = 96, MaxSteps = 60000;

//===----------------------------------------------------------------------===//
// Names and types that tell success from failure
//===----------------------------------------------------------------------===//

static bool hasWord(llvm::StringRef Name,
                    std::initializer_list<llvm::StringRef> Words) {
  std::string Lower = Name.lower();
  return llvm::any_of(Words, [&](llvm::StringRef W) {
    return llvm::StringRef(Lower).contains(W);
  });
}

/// What a name says about the outcome: true for failure.
static std::optional<bool> saysFailure(llvm::StringRef Name) {
  if (hasWord(Name, {"fail", "error", "timed_out", "timedout", "timeout",
                     "expired", "unavailable", "refused", "exception",
                     "not_found", "notfound", "retry"}))
    return true;
  std::string Lower = Name.lower();
  llvm::StringRef L(Lower);
  L.consume_front("k");
  if (L == "ok" || L.contains("success") || L.contains("succe") ||
      L.contains("has_value") || L == "hasvalue" || L == "valid" ||
      L == "is_ok" || L == "isok" || L == "ok_" || L == "none" ||
      L == "no_timeout" || L == "completed" || L == "acquired" ||
      L == "connected" || L == "s_ok" || L == "is_valid" || L == "isvalid")
    return false;
  return std::nullopt;
}

static llvm::StringRef nameOf(const NamedDecl *D) {
  return D && D->getDeclName().isIdentifier() ? D->getName()
                                              : llvm::StringRef();
}

bool AttemptRun::isErrorLike(QualType T) const {
  T = T.getNonReferenceType();
  if (Context.roles().findType(T, Role::ErrorCode))
    return true;
  const TagDecl *TD = T->getAsTagDecl();
  return TD && hasWord(nameOf(TD), {"error", "exception", "errc"});
}

static const ValueDecl *variableOf(const Expr *E) {
  E = stripped(E);
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(E))
    return Ref->getDecl();
  if (const auto *Member = dyn_cast_or_null<MemberExpr>(E))
    if (isa<CXXThisExpr>(stripped(Member->getBase())))
      return Member->getMemberDecl();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Start and iteration
//===----------------------------------------------------------------------===//

AttemptRun::AttemptRun(AnalysisContext &Context, const FunctionBody &Body,
                       const Stmt *Loop, const Expr *Target, bool Succeed)
    : Context(Context), Body(Body), Loop(Loop), Target(Target),
      Succeed(Succeed) {}

/// Default constructed: no value, no error.
static bool isEmptyInit(const Expr *Init) {
  Init = Init ? stripped(Init) : nullptr;
  if (!Init)
    return true;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init))
    return llvm::all_of(Construct->arguments(), [](const Expr *A) {
      const Expr *S = stripped(A);
      const ValueDecl *V = variableOf(S);
      return isa<CXXDefaultArgExpr>(A) || isa<CXXNullPtrLiteralExpr>(S) ||
             nameOf(V) == "nullopt";
    });
  if (const auto *List = dyn_cast<InitListExpr>(Init))
    return List->getNumInits() == 0;
  return isa<CXXNullPtrLiteralExpr, CXXScalarValueInitExpr>(Init);
}

AttemptRun::State AttemptRun::start(const Bindings *Initial) {
  State S;
  Durations &D = Context.get<Durations>();
  const FunctionDecl &F = Body.function();
  for (const ParmVarDecl *P : F.parameters())
    if (!D.isNeverModified(*P))
      S.Values[P] = D.initialValue(*P);
  if (Initial)
    for (const auto &[Var, Value] : *Initial)
      S.Values[Var] = Value;
  // Locals that live across iterations begin with their initialiser.
  for (const Stmt *Part : Body.statements()) {
    const auto *Declares = dyn_cast<DeclStmt>(Part);
    if (!Declares || !Loop || Body.contains(Loop, Declares))
      continue;
    for (const Decl *Item : Declares->decls()) {
      const auto *Var = dyn_cast<VarDecl>(Item);
      if (!Var)
        continue;
      QualType T = Var->getType().getNonReferenceType();
      if (T->isRecordType() && !isDurationType(T)) {
        if (isEmptyInit(Var->getInit()))
          S.Outcomes[Var] = Empty;
      } else if (!D.isNeverModified(*Var)) {
        S.Values[Var] = D.initialValue(*Var, &S.Values);
      }
    }
  }
  if (const auto *For = dyn_cast_or_null<ForStmt>(Loop))
    if (const auto *Declares = dyn_cast_or_null<DeclStmt>(For->getInit()))
      for (const Decl *Item : Declares->decls())
        if (const auto *Var = dyn_cast<VarDecl>(Item))
          S.Values[Var] = D.initialValue(*Var, &S.Values);
  const Expr *Cond = nullptr;
  if (const auto *For = dyn_cast_or_null<ForStmt>(Loop)) {
    if (const auto *Init = dyn_cast_or_null<Expr>(For->getInit()))
      evaluate(Init, S);
    Cond = For->getCond();
  } else if (const auto *While = dyn_cast_or_null<WhileStmt>(Loop)) {
    Cond = While->getCond();
  }
  // The condition counts before the first iteration as well.
  if (Cond && !Body.contains(Cond, Target))
    truth(Cond, S);
  return S;
}

AttemptRun::Paths AttemptRun::iterate(State In) {
  Paths Done;
  auto Finish = [&](Path P, const Expr *Inc, const Expr *Cond) {
    if (P.F == Breaks || P.F == Throws)
      P.F = Leaves;
    if (P.F == Leaves) {
      Done.push_back(std::move(P));
      return;
    }
    if (Inc)
      evaluate(Inc, P.S);
    if (!Cond) {
      P.F = Continues;
      Done.push_back(std::move(P));
      return;
    }
    Paths Thrown;
    for (Decided &D : decide(Cond, std::move(P.S), Thrown)) {
      MayEnd |= !D.Truth;
      Done.push_back({std::move(D.S), D.Truth == false ? Leaves : Continues});
    }
    for (Path &T : Thrown)
      Done.push_back({std::move(T.S), Leaves});
  };
  if (!Loop) {
    for (Path &P : run(Body.body(), std::move(In)))
      Done.push_back({std::move(P.S), P.F == Continues ? Continues : Leaves});
  } else if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    for (Path &P : run(For->getBody(), std::move(In)))
      Finish(std::move(P), For->getInc(), For->getCond());
  } else if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    for (Path &P : run(While->getBody(), std::move(In)))
      Finish(std::move(P), nullptr, While->getCond());
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    for (Path &P : run(Do->getBody(), std::move(In)))
      Finish(std::move(P), nullptr, Do->getCond());
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop)) {
    for (Path &P : run(Range->getBody(), std::move(In)))
      Finish(std::move(P), nullptr, nullptr);
  }
  return Done;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

AttemptRun::Paths AttemptRun::then(Paths First,
                                   llvm::function_ref<Paths(State)> Next) {
  Paths All;
  for (Path &P : First) {
    if (P.F != Falls) {
      All.push_back(std::move(P));
      continue;
    }
    for (Path &N : Next(std::move(P.S)))
      All.push_back(std::move(N));
    if (All.size() > MaxPaths) {
      GaveUp = true;
      All.resize(MaxPaths);
      break;
    }
  }
  return All;
}

AttemptRun::Paths AttemptRun::run(const Stmt *S, State In) {
  Paths Just;
  if (++Steps > MaxSteps)
    GaveUp = true;
  if (!S || GaveUp) {
    Just.push_back({std::move(In), Falls});
    return Just;
  }
  auto End = [&](Flow F) {
    Just.push_back({std::move(In), F});
    return std::move(Just);
  };
  auto Ending = [&](const Expr *Value, Flow F) {
    Paths P = effects(Value, std::move(In));
    for (Path &Each : P)
      if (Each.F == Falls)
        Each.F = F;
    return P;
  };
  if (const auto *E = dyn_cast<Expr>(S))
    return effects(E, std::move(In));
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    Just.push_back({std::move(In), Falls});
    for (const Stmt *Part : Block->body())
      Just = then(std::move(Just),
                  [&](State Next) { return run(Part, std::move(Next)); });
    return Just;
  }
  if (const auto *Declares = dyn_cast<DeclStmt>(S))
    return runDeclaration(*Declares, std::move(In));
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (If->isConstexpr())
      if (auto Taken = If->getNondiscardedCase(Context.ast()))
        return run(*Taken, std::move(In));
    Paths Before = run(If->getInit(), std::move(In));
    Before = then(std::move(Before), [&](State Next) {
      return run(If->getConditionVariableDeclStmt(), std::move(Next));
    });
    return then(std::move(Before), [&](State Next) {
      Paths Result;
      for (Decided &D : decide(If->getCond(), std::move(Next), Result)) {
        if (D.Truth != false)
          for (Path &P : run(If->getThen(), D.S))
            Result.push_back(std::move(P));
        if (D.Truth != true)
          for (Path &P : run(If->getElse(), std::move(D.S)))
            Result.push_back(std::move(P));
      }
      return Result;
    });
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S))
    return Ending(Return->getRetValue(), Leaves);
  if (const auto *Return = dyn_cast<CoreturnStmt>(S))
    return Ending(Return->getOperand(), Leaves);
  if (isa<BreakStmt>(S))
    return End(Breaks);
  if (isa<ContinueStmt>(S))
    return End(Continues);
  if (const auto *Try = dyn_cast<CXXTryStmt>(S))
    return runTry(*Try, std::move(In));
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return runSwitch(*Switch, std::move(In));
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return run(Case->getSubStmt(), std::move(In));
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return run(Attributed->getSubStmt(), std::move(In));
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return run(Label->getSubStmt(), std::move(In));
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return runInnerLoop(*S, std::move(In));
  if (isa<GotoStmt, IndirectGotoStmt>(S))
    GaveUp = true;
  return End(Falls);
}

AttemptRun::Paths AttemptRun::runTry(const CXXTryStmt &Try, State In) {
  Paths Result;
  for (Path &P : run(Try.getTryBlock(), std::move(In))) {
    if (P.F != Throws) {
      Result.push_back(std::move(P));
      continue;
    }
    bool All = false;
    for (unsigned I = 0; I < Try.getNumHandlers(); ++I) {
      const CXXCatchStmt *Handler = Try.getHandler(I);
      All |= !Handler->getExceptionDecl();
      for (Path &H : run(Handler->getHandlerBlock(), P.S))
        Result.push_back(std::move(H));
    }
    if (!All)
      Result.push_back(std::move(P));
  }
  return Result;
}

AttemptRun::Paths AttemptRun::runSwitch(const SwitchStmt &Switch, State In) {
  Paths Before = run(Switch.getInit(), std::move(In));
  Before = then(std::move(Before), [&](State Next) {
    return run(Switch.getConditionVariableDeclStmt(), std::move(Next));
  });
  Before = then(std::move(Before), [&](State Next) {
    return effects(Switch.getCond(), std::move(Next));
  });
  const auto *Block = dyn_cast<CompoundStmt>(Switch.getBody());
  return then(std::move(Before), [&](State Next) {
    Paths Result;
    if (!Block) {
      GaveUp = true;
      return Result;
    }
    Amount Value = evaluate(Switch.getCond(), Next);
    bool Default = false, Chosen = false;
    auto RunFrom = [&](unsigned First) {
      Paths Just;
      Just.push_back({Next, Falls});
      for (unsigned I = First; I < Block->size(); ++I)
        Just = then(std::move(Just), [&](State At) {
          return run(Block->body_begin()[I], std::move(At));
        });
      for (Path &P : Just) {
        if (P.F == Breaks)
          P.F = Falls;
        Result.push_back(std::move(P));
      }
    };
    for (int Pass = 0; Pass < 2 && !Chosen; ++Pass)
      for (unsigned I = 0; I < Block->size(); ++I) {
        bool Enter = false;
        const Stmt *Label = Block->body_begin()[I];
        for (; const auto *Case = dyn_cast<SwitchCase>(Label);
             Label = Case->getSubStmt()) {
          if (isa<DefaultStmt>(Case)) {
            Default = true;
            Enter |= Pass == 1 || !Value.exact();
            continue;
          }
          Amount Constant = evaluate(cast<CaseStmt>(Case)->getLHS(), Next);
          bool Equal =
              Value.exact() && Constant.exact() && *Value.Low == *Constant.Low;
          Enter |= Pass == 0 && (!Value.exact() || Equal);
        }
        if (Enter) {
          Chosen = true;
          RunFrom(I);
        }
      }
    if (!Chosen || (!Default && !Value.exact()))
      Result.push_back({std::move(Next), Falls});
    return Result;
  });
}

AttemptRun::Paths AttemptRun::runInnerLoop(const Stmt &Inner, State In) {
  const Stmt *Block = nullptr;
  const Expr *Cond = nullptr;
  const Stmt *Init = nullptr;
  bool AtLeastOnce = false;
  if (const auto *For = dyn_cast<ForStmt>(&Inner)) {
    Init = For->getInit();
    Cond = For->getCond();
    Block = For->getBody();
  } else if (const auto *While = dyn_cast<WhileStmt>(&Inner)) {
    Cond = While->getCond();
    Block = While->getBody();
  } else if (const auto *Do = dyn_cast<DoStmt>(&Inner)) {
    Cond = Do->getCond();
    Block = Do->getBody();
    AtLeastOnce = true;
  } else {
    const auto &Range = cast<CXXForRangeStmt>(Inner);
    Init = Range.getRangeInit();
    Block = Range.getBody();
  }
  bool Endless = isa<ForStmt>(Inner) && !Cond;
  Paths Before = run(Init, std::move(In));
  return then(std::move(Before), [&](State Next) {
    Paths Result;
    if (Cond && !AtLeastOnce)
      if (std::optional<bool> Holds = truth(Cond, Next))
        Endless |= *Holds;
    if (!AtLeastOnce && !Endless)
      Result.push_back({Next, Falls});
    for (Path &P : run(Block, std::move(Next))) {
      // What goes round in an endless loop leaves it on another path.
      if (Endless && (P.F == Falls || P.F == Continues) && !P.S.Failed)
        continue;
      if (P.F == Breaks || P.F == Continues)
        P.F = Falls;
      Result.push_back(std::move(P));
    }
    return Result;
  });
}

AttemptRun::Paths AttemptRun::runDeclaration(const DeclStmt &Declares,
                                             State In) {
  Paths Just;
  Just.push_back({std::move(In), Falls});
  for (const Decl *Item : Declares.decls()) {
    const auto *Var = dyn_cast<VarDecl>(Item);
    if (!Var)
      continue;
    Just = then(std::move(Just), [&](State Next) {
      Paths P = effects(Var->getInit(), std::move(Next));
      for (Path &Each : P)
        if (Each.F == Falls)
          assign(*Var, Var->getInit(), Each.S);
      return P;
    });
  }
  return Just;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void AttemptRun::passTime(const Expr &Await, State &S) {
  auto [At, New] = SleepOf.try_emplace(&Await);
  const Expr *Operand = suspensionOperand(Await);
  async_tidy::Limits &L = Context.get<async_tidy::Limits>();
  if (New) {
    At->second = L.sleepIn(Body, Operand);
    if (At->second)
      Pauses.push_back(*At->second);
    else
      LimitsOf[&Await] = L.attemptLimits(Body, Operand);
  }
  if (At->second) {
    Amount A = L.amount(At->second->Time,
                        At->second->TimeInsideWrapper ? nullptr : &S.Values);
    if (A.exact() && (!At->second->Time.Absolute || A.FromNow))
      S.Pauses += *A.Low;
    else
      S.PausesKnown = false;
    return;
  }
  // Of nested limits the outer one counts, of parallel ones the longest.
  double Longest = 0;
  const Limit *Outer = nullptr;
  for (const Limit &Each : LimitsOf[&Await]) {
    if (Outer && llvm::any_of(Outer->Work, [&](const Expr *Work) {
          return Body.contains(Work, Each.At);
        }))
      continue;
    Outer = &Each;
    Amount A = L.amount(Each, &S.Values);
    // At most this long; how long exactly does not matter for a sum.
    if (A.High)
      Longest = std::max(Longest, *A.High);
    else
      S.LimitsKnown = false;
  }
  S.Limits += Longest;
}

AttemptRun::Paths AttemptRun::effects(const Expr *E, State In, bool Evaluated) {
  Paths Result;
  if (!E) {
    Result.push_back({std::move(In), Falls});
    return Result;
  }
  bool HasTarget = false, Leaving = false, Throwing = false, Calls = false;
  const Expr *Self = nullptr;
  llvm::SmallVector<const Expr *, 4> Awaits;
  const SymbolRoles &Roles = Context.roles();
  async_tidy::Limits &L = Context.get<async_tidy::Limits>();
  walkWritten(E, [&](const Stmt &S) {
    if (isSuspension(S)) {
      Awaits.push_back(cast<Expr>(&S));
      HasTarget |= &S == Target;
    }
    // `co_yield co_error(e)` ends the coroutine.
    if (isa<CallExpr, CXXConstructExpr>(S))
      Leaving |= Roles.find(cast<Expr>(&S), Role::CancellationRaise) != nullptr;
    Throwing |= isa<CXXThrowExpr>(S);
    if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (F && F->isNoReturn())
        Leaving = true;
      if (F && !Loop &&
          F->getCanonicalDecl() == Body.function().getCanonicalDecl())
        Self = Call;
      Calls |= !isa<CXXOperatorCallExpr>(Call) &&
               !Roles.find(Call, Role::Logging) &&
               !Roles.find(Call, Role::TimerSetup);
    }
    return true;
  });
  // An awaited sleep or a log call is not work.
  bool OnlyWaits =
      !Awaits.empty() && !HasTarget && llvm::all_of(Awaits, [&](const Expr *A) {
        return L.sleepIn(Body, suspensionOperand(*A)).has_value();
      });
  if (In.Reached && Calls && !OnlyWaits && !HasTarget)
    In.Worked = true;
  for (const Expr *Await : Awaits)
    if (Await != Target)
      passTime(*Await, In);
  if (Self && (Succeed || In.Reached)) {
    // The parameters of the next attempt, by the values of this one.
    SelfCall = Self;
    auto Args = argumentsOf(*Self);
    llvm::SmallVector<Amount, 4> Passed;
    for (const Expr *Arg : Args)
      Passed.push_back(evaluate(Arg, In));
    for (unsigned I = 0; I < Args.size() && I < Body.function().getNumParams();
         ++I)
      In.Values[Body.function().getParamDecl(I)] = Passed[I];
    Result.push_back({std::move(In), Continues});
    return Result;
  }
  if (HasTarget) {
    In.Reached = true;
    ++In.Awaited;
    passTime(*Target, In);
    if (!Succeed) {
      In.Failed = true;
      Result.push_back({In, Throws});
      Result.back().S.ByThrow = true;
    }
  }
  if (Throwing)
    In.Failed = true;
  if (Evaluated)
    evaluate(E, In);
  Result.push_back(
      {std::move(In), Throwing ? Throws : (Leaving ? Leaves : Falls)});
  return Result;
}

llvm::SmallVector<AttemptRun::Decided, 2>
AttemptRun::decide(const Expr *E, State In, Paths &Thrown) {
  llvm::SmallVector<Decided, 2> Result;
  if (!E) {
    Result.push_back({std::move(In), true});
    return Result;
  }
  const Expr *Bare = E->IgnoreParenImpCasts();
  if (const auto *Full = dyn_cast<FullExpr>(Bare))
    Bare = Full->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Bare);
      Not && Not->getOpcode() == UO_LNot) {
    Result = decide(Not->getSubExpr(), std::move(In), Thrown);
    for (Decided &D : Result)
      if (D.Truth)
        D.Truth = !*D.Truth;
    return Result;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(Bare);
      Logical && Logical->isLogicalOp()) {
    bool Decisive = Logical->getOpcode() == BO_LOr;
    for (Decided &Left : decide(Logical->getLHS(), std::move(In), Thrown)) {
      if (Left.Truth == Decisive) {
        Result.push_back(std::move(Left));
        continue;
      }
      if (!Left.Truth)
        Result.push_back({Left.S, Decisive});
      for (Decided &Right :
           decide(Logical->getRHS(), std::move(Left.S), Thrown))
        Result.push_back(std::move(Right));
    }
    if (Result.size() > MaxPaths)
      GaveUp = true;
    return Result;
  }
  // Comparisons and counters give their value and their effect in one go.
  bool Counts = isa<BinaryOperator, UnaryOperator>(Bare) ||
                (isa<CXXOperatorCallExpr>(Bare) &&
                 cast<CXXOperatorCallExpr>(Bare)->isInfixBinaryOp());
  for (Path &P : effects(Bare, std::move(In), /*Evaluated=*/!Counts)) {
    if (P.F != Falls) {
      Thrown.push_back(std::move(P));
      continue;
    }
    std::optional<bool> Truth = truth(Bare, P.S);
    Result.push_back({std::move(P.S), Truth});
  }
  return Result;
}

void AttemptRun::assign(const ValueDecl &Var, const Expr *Value, State &S) {
  QualType T = Var.getType().getNonReferenceType();
  const auto *Decomposed = dyn_cast<DecompositionDecl>(&Var);
  if (T->isArithmeticType() || isDurationType(T) || T->isEnumeralType()) {
    // A duration nobody changes is folded where it is used, with its origin.
    const auto *Local = dyn_cast<VarDecl>(&Var);
    if (!Local || !isDurationType(T) ||
        !Context.get<Durations>().isNeverModified(*Local)) {
      State Copy = S;
      S.Values[&Var] = Value ? evaluate(Value, Copy) : Amount::unknown(&Var);
    }
  }
  std::optional<Outcome> How = Value ? outcome(Value, S) : std::nullopt;
  if (!How && T->isRecordType() && !Decomposed) {
    if (isEmptyInit(Value))
      How = Empty;
    else if (isErrorLike(T))
      How = Failure;
  }
  if (How)
    S.Outcomes[&Var] = *How;
  else
    S.Outcomes.erase(&Var);
}

std::optional<AttemptRun::Outcome> AttemptRun::outcome(const Expr *E,
                                                       const State &S) {
  E = stripped(E);
  for (unsigned Step = 0; Step < 6 && E; ++Step) {
    if (isSuspension(*E)) {
      if (E == Target)
        return Succeed ? Success : Failure;
      if (Succeed || !S.Reached)
        return Success;
      return std::nullopt;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const ValueDecl *D = Ref->getDecl();
      if (const auto *Binding = dyn_cast<BindingDecl>(D)) {
        auto Own = S.Outcomes.find(D);
        if (Own != S.Outcomes.end())
          return Own->second;
        D = Binding->getDecomposedDecl();
      }
      auto It = S.Outcomes.find(D);
      return It == S.Outcomes.end() ? std::nullopt : std::optional(It->second);
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      auto It = S.Outcomes.find(Member->getMemberDecl());
      if (It != S.Outcomes.end())
        return It->second;
      E = stripped(Member->getBase());
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
      // Converted: `optional<int> r = co_await …`.
      if (Construct->getNumArgs() == 0)
        return std::nullopt;
      E = stripped(Construct->getArg(0));
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      if (Unary->getOpcode() != UO_Deref)
        return std::nullopt;
      E = stripped(Unary->getSubExpr());
    } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
      // A part of it: `std::get<0>(r)`, `*r`, `r.value()`, `r.error()`.
      if (const Expr *Object = objectOf(*Call))
        E = stripped(Object);
      else if (Call->getNumArgs() == 1)
        E = stripped(Call->getArg(0));
      else
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<double> AttemptRun::winner(bool Succeeded) {
  const Expr *Operand = suspensionOperand(*Target);
  for (const Limit &L :
       Context.get<async_tidy::Limits>().limitsIn(Body, Operand)) {
    if (L.How != Limit::Race)
      continue;
    auto Args = argumentsOf(*L.At);
    for (unsigned I = 0; I < Args.size(); ++I)
      if (llvm::is_contained(L.Work, Args[I]) == Succeeded)
        return I;
  }
  return std::nullopt;
}

/// A status number: 200 stands for all that is well, 503 for what is not.
static bool isStatusName(const Expr *E) {
  E = stripped(E);
  const NamedDecl *D = nullptr;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    D = calleeOf(*Call);
  else if (const auto *Member = dyn_cast<MemberExpr>(E))
    D = Member->getMemberDecl();
  else if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    D = Ref->getDecl();
  return D && hasWord(nameOf(D), {"status", "http_code", "result_int"});
}

Amount AttemptRun::evaluate(const Expr *E, State &S) {
  Durations &D = Context.get<Durations>();
  E = stripped(E);
  if (!E || GaveUp)
    return Amount::unknown();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->isIncrementDecrementOp()) {
    const ValueDecl *Var = variableOf(Unary->getSubExpr());
    if (!Var)
      return Amount::unknown();
    Amount Old = D.fold(Unary->getSubExpr(), &S.Values);
    Amount New = Durations::apply(Unary->isIncrementOp() ? BO_Add : BO_Sub, Old,
                                  Amount::of(1), Var->getType());
    S.Values[Var] = New;
    S.Counted = true;
    return Unary->isPrefix() ? New : Old;
  }
  // An iterator counts as well.
  if (const auto *Step = dyn_cast<CXXOperatorCallExpr>(E);
      Step && (Step->getOperator() == OO_PlusPlus ||
               Step->getOperator() == OO_MinusMinus)) {
    S.Counted = true;
    return Amount::unknown();
  }
  const Expr *Left = nullptr, *Right = nullptr;
  std::optional<BinaryOperatorKind> Op;
  bool Assigns = false;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    Left = Binary->getLHS(), Right = Binary->getRHS();
    Op = Binary->getOpcode();
    Assigns = Binary->isAssignmentOp();
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
             Call && Call->getNumArgs() == 2 && Call->isInfixBinaryOp() &&
             Call->getOperator() != OO_Spaceship) {
    Left = Call->getArg(0), Right = Call->getArg(1);
    Op = BinaryOperator::getOverloadedOpcode(Call->getOperator());
    Assigns = Call->isAssignmentOp();
  }
  if (Op && Assigns) {
    const ValueDecl *Var = variableOf(Left);
    if (!Var)
      return evaluate(Right, S);
    if (*Op == BO_Assign) {
      S.Counted |=
          Var->getType()->isIntegerType() && !Var->getType()->isBooleanType();
      assign(*Var, Right, S);
    } else {
      Amount Value = evaluate(Right, S);
      S.Values[Var] =
          Durations::apply(BinaryOperator::getOpForCompoundAssignment(*Op),
                           D.fold(Left, &S.Values), Value, Var->getType());
      S.Counted = true;
    }
    return D.fold(Left, &S.Values);
  }
  if (Op && *Op == BO_Comma) {
    evaluate(Left, S);
    return evaluate(Right, S);
  }
  if (Op && BinaryOperator::isComparisonOp(*Op)) {
    Amount L = evaluate(Left, S), R = evaluate(Right, S);
    Amount Result = Durations::apply(*Op, L, R, E->getType());
    if (!Result.exact() && BinaryOperator::isEqualityOp(*Op))
      if (std::optional<bool> Same = compare(Left, Right, S))
        return Amount::of(*Same == (*Op == BO_EQ));
    return Result;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(E)) {
    // Both sides may count.
    if (!Logical->isLogicalOp()) {
      Amount L = evaluate(Left, S), R = evaluate(Right, S);
      return Durations::apply(*Op, L, R, E->getType());
    }
  }
  // A status or the index of a race's winner, by how the await went.
  if (E->getType()->isIntegralOrUnscopedEnumerationType()) {
    if (std::optional<Outcome> How = outcome(E, S); How && *How != Empty) {
      const auto *Call = dyn_cast<CallExpr>(E);
      if (isStatusName(E) && !E->getType()->isBooleanType())
        return Amount::of(*How == Success ? 200 : 503);
      if (!E->getType()->isBooleanType() &&
          (!Call || nameOf(calleeOf(*Call)) == "index"))
        if (std::optional<double> Index = winner(*How == Success))
          return Amount::of(*Index);
    }
  }
  if (E->getType()->isBooleanType()) {
    if (std::optional<bool> Truth = truth(E, S))
      return Amount::of(*Truth);
    return D.fold(E, &S.Values);
  }
  for (const Stmt *Child : writtenChildren(*E))
    if (const auto *Part = dyn_cast<Expr>(Child);
        Part && !isa<DeclRefExpr, IntegerLiteral>(stripped(Part)))
      evaluate(Part, S);
  // Result codes passed by reference come back with the outcome.
  if (isSuspension(*E)) {
    std::optional<Outcome> How = outcome(E, S);
    walkWritten(suspensionOperand(*E), [&](const Stmt &Part) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (Var && Var->isLocalVarDecl() &&
          Context.roles().findType(Var->getType(), Role::ErrorCode)) {
        if (How)
          S.Outcomes[Var] = *How;
        else
          S.Outcomes.erase(Var);
      }
      return true;
    });
  }
  return D.fold(E, &S.Values);
}

std::optional<bool> AttemptRun::compare(const Expr *L, const Expr *R,
                                        State &S) {
  for (auto [Side, Other] : {std::pair(L, R), std::pair(R, L)}) {
    std::optional<Outcome> How = outcome(Side, S);
    if (!How)
      continue;
    const Expr *Constant = stripped(Other);
    if (isa<CXXNullPtrLiteralExpr>(Constant)) {
      if (isErrorLike(stripped(Side)->getType()))
        return *How != Failure;
      return *How != Success;
    }
    if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(Constant))
      if (std::optional<bool> Truth = truth(Side, S))
        return *Truth == Literal->getValue();
    const ValueDecl *Named = variableOf(Constant);
    if (nameOf(Named) == "nullopt")
      return *How != Success;
    // `status == Status::Ok`, `ec != error::timed_out`.
    const Expr *Core = Constant;
    if (!Named)
      if (auto Args = argumentsOf(*Core); Args.size() == 1)
        Named = variableOf(Args[0]);
    if (Named) {
      std::optional<bool> Fails = saysFailure(nameOf(Named));
      if (*How == Success && Fails)
        return !*Fails;
      if (*How == Failure && Fails == false)
        return false;
    }
    // A default constructed code.
    if (isErrorLike(stripped(Side)->getType()) && isEmptyInit(Constant))
      return *How != Failure;
  }
  return std::nullopt;
}

std::optional<bool> AttemptRun::truth(const Expr *E, State &S) {
  Durations &D = Context.get<Durations>();
  const Expr *Bare = stripped(E);
  if (!Bare)
    return std::nullopt;
  auto Exact = [](const Amount &A) -> std::optional<bool> {
    if (!A.exact())
      return std::nullopt;
    return *A.Low != 0;
  };
  if (const auto *Not = dyn_cast<UnaryOperator>(Bare);
      Not && Not->getOpcode() == UO_LNot) {
    std::optional<bool> Inner = truth(Not->getSubExpr(), S);
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  if (const auto *Logical = dyn_cast<BinaryOperator>(Bare);
      Logical && Logical->isLogicalOp()) {
    std::optional<bool> L = truth(Logical->getLHS(), S);
    bool Decisive = Logical->getOpcode() == BO_LOr;
    if (L == Decisive)
      return L;
    std::optional<bool> R = truth(Logical->getRHS(), S);
    if (R == Decisive)
      return R;
    return L && R ? R : std::nullopt;
  }
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(Bare)) {
    auto Form = Rewritten->getDecomposedForm();
    if (BinaryOperator::isEqualityOp(Form.Opcode))
      if (auto Same = compare(Form.LHS, Form.RHS, S))
        return *Same == (Form.Opcode == BO_EQ);
    return Exact(D.fold(Bare, &S.Values));
  }
  if (isa<BinaryOperator>(Bare) ||
      (isa<CXXOperatorCallExpr>(Bare) &&
       cast<CXXOperatorCallExpr>(Bare)->isInfixBinaryOp() &&
       cast<CXXOperatorCallExpr>(Bare)->getNumArgs() == 2))
    return Exact(evaluate(Bare, S));
  if (const auto *Unary = dyn_cast<UnaryOperator>(Bare);
      Unary && Unary->isIncrementDecrementOp())
    return Exact(evaluate(Bare, S));

  // A flag with a value of its own.
  if (const ValueDecl *Var = variableOf(Bare)) {
    auto It = S.Values.find(Var);
    if (It != S.Values.end() && It->second.exact())
      return *It->second.Low != 0;
  }
  // A question put to a result.
  const Expr *Asked = Bare;
  std::optional<bool> WhenFailed;
  if (const auto *Call = dyn_cast<CallExpr>(Bare)) {
    const NamedDecl *Callee = calleeOf(*Call);
    const Expr *Object = objectOf(*Call);
    if (Object && isa_and_nonnull<CXXConversionDecl>(Callee)) {
      Asked = Object;
    } else if (Object && Call->getNumArgs() <= 1) {
      Asked = Object;
      if (const Entry *Test = Context.roles().find(Call, Role::ErrorTest))
        WhenFailed = Test->MeansFailure;
      else if (auto Fails = saysFailure(nameOf(Callee)))
        WhenFailed = *Fails;
      else
        return Exact(D.fold(Bare, &S.Values));
    } else if (Call->getNumArgs() == 1) {
      Asked = Call->getArg(0);
      const auto *F = dyn_cast_or_null<FunctionDecl>(Callee);
      const auto *List = F ? F->getTemplateSpecializationArgs() : nullptr;
      if (nameOf(Callee) == "holds_alternative" && List && List->size() > 0 &&
          List->get(0).getKind() == TemplateArgument::Type) {
        const auto *RD = List->get(0).getAsType()->getAsCXXRecordDecl();
        WhenFailed = RD && hasWord(nameOf(RD), {"monostate", "timeout",
                                                "timed_out", "error"});
      } else if (auto Fails = saysFailure(nameOf(Callee))) {
        WhenFailed = *Fails;
      } else {
        return Exact(D.fold(Bare, &S.Values));
      }
    }
  }
  std::optional<Outcome> How = outcome(Asked, S);
  if (!How)
    return Exact(D.fold(Bare, &S.Values));
  if (*How == Empty)
    return WhenFailed == true && !isErrorLike(Asked->getType())
               ? std::optional(true)
               : std::optional(false);
  if (!WhenFailed) {
    QualType T = stripped(Asked)->getType().getNonReferenceType();
    const ValueDecl *Var = variableOf(Asked);
    if (T->isBooleanType())
      WhenFailed = saysFailure(nameOf(Var)).value_or(false);
    else if (isErrorLike(T))
      WhenFailed = true;
    else if (T->isRecordType() || T->isPointerType())
      WhenFailed = false;
    else
      return std::nullopt; // a number: its meaning is anybody's guess
  }
  return (*How == Failure) == *WhenFailed;
}

} // namespace async_tidy
